"""Completion for zsh."""

import shlex
from collections.abc import Iterator

from proctor.cli.shells.base import Node, known_words, offered, valued


def _write(root: Node) -> str:
    nodes = list(root.walk())
    known = "|".join(known_words(nodes, shlex.quote))
    return "\n".join(
        (
            "#compdef proctor",
            "# Completion of proctor for zsh:  source <(proctor completion zsh)",
            "_proctor() {",
            "    local at= before=${words[CURRENT-1]} i",
            "    local -a found",
            "    if [[ ${words[CURRENT]} == --*=* ]]; then",
            "        before=${words[CURRENT]%%=*}",
            "        compset -P '*='",
            "    fi",
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
    for keys, option in valued(nodes, shlex.quote):
        what = f"compadd -- {shlex.join(option.choices)}" if option.choices else "_files"
        yield f"    ({keys}) {what}; return ;;"


def _case(node: Node) -> Iterator[str]:
    """Yield the words of one command, each with what its help says."""
    yield f"    ({shlex.quote(' '.join(node.path))}) found=("
    for word, what in offered(node):
        said = word.replace(":", "\\:") + (f":{what}" if what else "")
        yield f"        {shlex.quote(said)}"
    yield "        ) ;;"


WRITE = _write
