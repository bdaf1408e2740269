"""Completion for zsh."""

import shlex
from collections.abc import Iterator

from proctor.cli.shells.base import Node


def _write(root: Node) -> str:
    nodes = list(root.walk())
    known = "|".join(shlex.quote(" ".join(node.path)) for node in nodes if node.path)
    return "\n".join(
        (
            "#compdef proctor",
            "# Completion of proctor for zsh:  source <(proctor completion zsh)",
            "_proctor() {",
            "    local at= before=${words[CURRENT-1]} i",
            "    local -a found",
            "    for ((i = 2; i < CURRENT; i++)); do",
            "        if [[ ${words[i]} == -- ]]; then",
            "            shift $i words",
            "            ((CURRENT -= i))",
            "            _normal",
            "            return",
            "        fi",
            '        case "${at:+$at }${words[i]}" in',
            f"        ({known}) at=${{at:+$at }}${{words[i]}} ;;",
            "        esac",
            "    done",
            '    case "$at|$before" in',
            *_values(nodes),
            "    esac",
            '    case "$at" in',
            *(line for node in nodes for line in _case(node)),
            "    esac",
            "    _describe -o proctor found || _files",
            "}",
            'if [[ ${funcstack[1]} == _proctor ]]; then _proctor "$@"',
            "else compdef _proctor proctor; fi",
            "",
        )
    )


def _values(nodes: list[Node]) -> Iterator[str]:
    """Yield what stands after an option that takes a value."""
    for node in nodes:
        for option in node.options:
            if option.takes_value:
                keys = "|".join(
                    shlex.quote(f"{' '.join(node.path)}|{name}") for name in option.names
                )
                choices = shlex.join(option.choices)
                yield f"    ({keys}) {f'compadd -- {choices}' if choices else '_files'}; return ;;"


def _case(node: Node) -> Iterator[str]:
    """Yield the words of one command, each with what its help says."""
    words = [(child.name, child.summary) for child in node.children]
    words += [(choice, "") for choice in node.choices]
    words += [(name, option.help) for option in node.options for name in option.names]
    if not node.path:
        words += [("--help", "the commands"), ("--version", "which Proctor this is")]
    yield f"    ({shlex.quote(' '.join(node.path))}) found=("
    for word, what in words:
        said = word.replace(":", "\\:") + (f":{what}" if what else "")
        yield f"        {shlex.quote(said)}"
    yield "        ) ;;"


WRITE = _write
