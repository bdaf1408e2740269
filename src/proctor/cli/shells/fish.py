"""Completion for fish."""

from collections.abc import Iterator

from proctor.cli.shells.base import ROOT, Node, Option, known_words


def _write(root: Node) -> str:
    nodes = list(root.walk())
    known = " ".join(known_words(nodes, _quoted))
    return "\n".join(
        (
            "# Completion of proctor for fish:  proctor completion fish | source",
            "function __proctor_at",
            "    set -l at",
            "    for word in (commandline -opc)[2..]",
            "        if test $word = --",
            '            set at "--"',
            "            break",
            "        end",
            '        set -l next (string trim "$at $word")',
            f"        if contains -- $next {known}",
            "            set at $next",
            "        end",
            "    end",
            '    test "$at" = "$argv[1]"',
            "end",
            "function __proctor_rest",
            "    set -l words (commandline -opc)",
            "    set -e words[1..(contains -i -- -- $words)]",
            "    set -a words (commandline -ct)",
            '    complete "-C$words"',
            "end",
            "complete -c proctor -n '__proctor_at --' -f -a '(__proctor_rest)'",
            *(
                f"complete -c proctor -n '__proctor_at \"\"' -f -l {name[2:]} -d {_quoted(what)}"
                for name, what in ROOT
            ),
            *(line for node in nodes for line in _lines(node)),
            "",
        )
    )


def _lines(node: Node) -> Iterator[str]:
    where = f"complete -c proctor -n {_quoted('__proctor_at ' + _quoted(' '.join(node.path)))}"
    for child in node.children:
        yield f"{where} -f -a {_quoted(child.name)} -d {_quoted(child.summary)}"
    if node.choices:
        yield f"{where} -f -a {_quoted(' '.join(node.choices))}"
    for option in node.options:
        yield f"{where} {_option(option)}"


def _option(option: Option) -> str:
    parts = [f"-l {name[2:]}" for name in option.names if name.startswith("--")]
    parts += [f"-s {name[1:]}" for name in option.names if not name.startswith("--")]
    if option.choices:
        parts.append(f"-x -a {_quoted(' '.join(option.choices))}")
    elif option.takes_value:
        parts.append("-r -F" if option.is_path else "-x")
    else:
        parts.append("-f")
    return f"{' '.join(parts)} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"


WRITE = _write
