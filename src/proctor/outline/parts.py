"""The parts of a configuration file that decide which tests run.

A specification is `PATTERN`, `PATTERN#PART,PART,-PART` or `PATTERN~WORD,WORD`
(see `proctor.classify.base.Runner.harness`):

- alone: everything but comments and layout;
- `#`: keys of TOML and JSON, sections of INI files, by dotted name; a last `!`
  takes only the entries called like a test and those that they name (scripts of
  a `package.json`, rules of a Makefile or justfile, tasks); in source, the parts
  that its language's file knows to decide;
- `~`: lines that hold one of the words.
"""

import configparser
import json
import os
import re
import tomllib
from collections.abc import Iterator

from proctor.outline.read import deciding, without_comments

_TESTISH = re.compile(
    r"(?:^|[^a-z])(?:pre|post)?(?:tests?|check|ci|specs?|verify|e2e|unit|integration|cov(?:erage)?)(?![a-z])",
    re.IGNORECASE,
)
_MAKE_OWN = frozenset(
    (".IGNORE", "MAKEFLAGS", "SHELL", ".SHELLFLAGS", ".ONESHELL", ".DEFAULT_GOAL")
)
_WORDS = re.compile(r"[\w.:-]+")
_ASSIGNMENT = re.compile(r"^(?:export\s+|override\s+|set\s+)?([\w.-]+)\s*(?:[:?+!]|::)?=(.*)$")
_RULE = re.compile(r"^@?([^\s#:=][^:=]*?)\s*:{1,2}(?!=)(.*)$")
_INCLUDE = re.compile(r"^\s*-?(?:s?include|import|mod)\b")
_MOST_DEPTH = 20
_INI = frozenset((".ini", ".cfg"))


def parts_of(path: str, text: str, specification: str) -> dict[str, str]:
    """Return the deciding parts of a file, by name, each in one canonical form."""
    pattern, sign, rest = _split(specification)
    words = tuple(rest.split(",")) if rest else ()
    del pattern
    if sign == "~":
        return {line: line for line in _lines(path, text) if any(word in line for word in words)}
    found = _structured(path, text, words)
    if found is not None:
        return found
    if sign == "#":
        known = deciding(path, text)
        if known is not None:
            return known
    return {"": "\n".join(_lines(path, text))}


def pattern_of(specification: str) -> str:
    """Return the gitignore pattern of a specification."""
    return _split(specification)[0]


def _split(specification: str) -> tuple[str, str, str]:
    for sign in ("#", "~"):
        pattern, found, rest = specification.partition(sign)
        if found:
            return pattern, sign, rest
    return specification, "", ""


def _lines(path: str, text: str) -> list[str]:
    lines = without_comments(path, text).splitlines()
    return [" ".join(line.split()) for line in lines if line.strip()]


def _structured(path: str, text: str, words: tuple[str, ...]) -> dict[str, str] | None:
    """Return the parts of a file with keys; none where it is no such file or is broken."""
    suffix = os.path.splitext(path)[1].lower()
    if "rules!" in words:
        return _closed(dict(_rules(text)))
    try:
        if suffix == ".toml":
            content: object = tomllib.loads(text)
        elif suffix == ".json":
            content = json.loads(text)
        elif suffix in _INI:
            content = _ini(text)
        else:
            return None
    except (ValueError, configparser.Error, RecursionError):
        return None
    return _chosen(dict(_flat(content, "", 0)), words)


def _chosen(entries: dict[str, str], words: tuple[str, ...]) -> dict[str, str]:
    wanted = tuple(word for word in words if not word.startswith("-"))
    unwanted = tuple(word[1:] for word in words if word.startswith("-"))
    found: dict[str, str] = {}
    for word in wanted:
        name = word.removesuffix("!")
        below = {
            key: value
            for key, value in entries.items()
            if key == name or (key.startswith(name) and key[len(name)] in ".:[")
        }
        found.update(_closed(below, f"{name}.") if word.endswith("!") else below)
    if not wanted:
        found = dict(entries)
    return {
        key: value
        for key, value in found.items()
        if not any(key.rpartition(".")[2].startswith(word) for word in unwanted)
    }


def _flat(content: object, name: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield every key by its dotted name, with its value in canonical JSON."""
    if isinstance(content, dict) and depth < _MOST_DEPTH:
        for key, value in content.items():
            yield from _flat(value, f"{name}.{key}" if name else str(key), depth + 1)
    else:
        yield name, json.dumps(content, sort_keys=True, default=str, ensure_ascii=False)


def _ini(text: str) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string(text)
    return {
        section: {
            key: "\n".join(" ".join(line.split()) for line in (value or "").splitlines())
            for key, value in parser.items(section)
        }
        for section in parser.sections()
    }


def _rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield the rules, variables and includes of a Makefile or justfile."""
    rules: dict[str, list[str]] = {}
    targets: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line[:1] in ("\t", " ") and line.strip():
            for target in targets:
                rules[target].append(" ".join(line.split()))
            continue
        if not line.strip() or line.startswith("#"):
            continue
        assignment, rule = _ASSIGNMENT.match(line), _RULE.match(line)
        targets = []
        if _INCLUDE.match(line):
            yield line.strip(), line.strip()
        elif assignment:
            yield assignment[1], " ".join(line.split())
        elif rule:
            targets = rule[1].split()
            for target in targets:
                rules.setdefault(target, []).append(" ".join(rule[2].split()))
    for target, recipe in rules.items():
        yield target, "\n".join(recipe)


def _closed(entries: dict[str, str], prefix: str = "") -> dict[str, str]:
    """Return the entries called like a test, and all those that they name."""
    names = {key.removeprefix(prefix): key for key in entries}
    waiting = [
        name for name in names if _TESTISH.search(name) or name in _MAKE_OWN or _INCLUDE.match(name)
    ]
    found: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        key = names.pop(name, None)
        if key is not None:
            found[key] = entries[key]
            waiting += [word for word in _WORDS.findall(entries[key]) if word in names]
    return found
