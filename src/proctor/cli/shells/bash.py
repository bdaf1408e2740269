"""Completion for bash."""

import shlex
from collections.abc import Iterator

from proctor.cli.shells.base import Node, known_words, offered, valued


def _write(root: Node) -> str:
    nodes = list(root.walk())
    known = "|".join(known_words(nodes, shlex.quote))
    return "\n".join(
        (
            "# Completion of proctor for bash:  source <(proctor completion bash)",
            "_proctor() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} at= i",
            "    if [[ $word == = ]]; then word=",
            "    elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi",
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
            *map(_case, nodes),
            "    esac",
            '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")',
            "}",
            "complete -o bashdefault -o default -F _proctor proctor",
            "",
        )
    )


def _values(nodes: list[Node]) -> Iterator[str]:
    """Yield what stands after an option that takes a value."""
    for keys, option in valued(nodes, shlex.quote):
        what = f"-W {shlex.quote(' '.join(option.choices))}" if option.choices else "-f"
        yield f'    {keys}) mapfile -t COMPREPLY < <(compgen {what} -- "$word"); return ;;'


def _case(node: Node) -> str:
    words = shlex.quote(" ".join(word for word, _ in offered(node)))
    return f"    {shlex.quote(' '.join(node.path))}) words={words} ;;"


WRITE = _write
