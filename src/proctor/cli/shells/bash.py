"""Completion for bash."""

import shlex
from collections.abc import Iterator

from proctor.cli.shells.base import Node


def _write(root: Node) -> str:
    nodes = list(root.walk())
    known = "|".join(shlex.quote(" ".join(node.path)) for node in nodes if node.path)
    return "\n".join(
        (
            "# Completion of proctor for bash:  source <(proctor completion bash)",
            "_proctor() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} at= i",
            "    for ((i = 1; i < COMP_CWORD; i++)); do",
            "        if [[ ${COMP_WORDS[i]} == -- ]]; then",
            "            if ((i + 1 == COMP_CWORD)); then",
            '                mapfile -t COMPREPLY < <(compgen -c -- "$word")',
            "            else",
            '                mapfile -t COMPREPLY < <(compgen -f -- "$word")',
            "            fi",
            "            return",
            "        fi",
            '        case "${at:+$at }${COMP_WORDS[i]}" in',
            f"        {known}) at=${{at:+$at }}${{COMP_WORDS[i]}} ;;",
            "        esac",
            "    done",
            "    local words=",
            '    case "$at|$before" in',
            *_values(nodes),
            "    esac",
            '    case "$at" in',
            *(f"    {shlex.quote(' '.join(node.path))}) words={_words(node)} ;;" for node in nodes),
            "    esac",
            '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")',
            "}",
            "complete -o bashdefault -o default -F _proctor proctor",
            "",
        )
    )


def _values(nodes: list[Node]) -> Iterator[str]:
    """Yield what stands after an option that takes a value."""
    for node in nodes:
        for option in node.options:
            if not option.takes_value:
                continue
            keys = "|".join(shlex.quote(f"{' '.join(node.path)}|{name}") for name in option.names)
            choices = shlex.quote(" ".join(option.choices))
            what = f"-W {choices}" if option.choices else "-f"
            yield f'    {keys}) mapfile -t COMPREPLY < <(compgen {what} -- "$word"); return ;;'


def _words(node: Node) -> str:
    words = [child.name for child in node.children]
    words += [*node.choices, *(name for option in node.options for name in option.names)]
    if not node.path:
        words += ["--help", "--version"]
    return shlex.quote(" ".join(words))


WRITE = _write
