"""What is added to a JSON file, and what stays as it was."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.errors import ConfigError
from proctor.setup import jsonc

PATH = ("hooks", "Stop")


def add(text: str, path: tuple[str, ...] = PATH, value: Any = "x") -> str:
    return jsonc.add(text, "a.json", path, value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "hooks": {\n    "Stop": "x"\n  }\n}'),
        ("{ }\n", '{\n  "hooks": {\n    "Stop": "x"\n  }\n}\n'),
        ('{"a": 1}', '{"a": 1, "hooks": {"Stop": "x"}}'),
        ('{"a": 1,}', '{"a": 1, "hooks": {"Stop": "x"}}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": "x"\n\t}\n}\n'),
        ('{\n    "hooks": {}\n}', '{\n    "hooks": {\n        "Stop": "x"\n    }\n}'),
        (
            '{\n  "a": 1 // one\n  // end\n}',
            '{\n  "a": 1, // one\n  // end\n  "hooks": {\n    "Stop": "x"\n  }\n}',
        ),
        (
            '{\n  "hooks": {\n    // none yet\n  }\n}',
            '{\n  "hooks": {\n    // none yet\n    "Stop": "x"\n  }\n}',
        ),
        ('{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "hooks": {\r\n    "Stop": "x"\r\n  }\r\n}\r\n'),
        ('\ufeff{"a": 1}', '\ufeff{"a": 1, "hooks": {"Stop": "x"}}'),
        ('{"hooks": {"Stop": [1]}}', '{"hooks": {"Stop": [1, "x"]}}'),
        ('{"hooks": {"Stop": []}}', '{"hooks": {"Stop": [\n  "x"\n]}}'),
        ('{"hooks": {"Stop": "own"}}', '{"hooks": {"Stop": "own"}}'),
        ('{"a": "}", "b": "/*", "c": "\\""}', '{"a": "}", "b": "/*", "c": "\\"", "hooks": {"Stop": "x"}}'),
    ],
)  # fmt: skip
def test_only_the_addition_is_added(before: str, after: str) -> None:
    assert add(before) == after


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1), ("{", 1), ("[}", 1), ('{"a": 1 "b": 2}', 1), ("{\n'a': 1}", 2), ("{} x", 1),
        ("{}{}", 1), ('{"a": 1, "a": 2}', 1), ("{1: 2}", 1), ('{"a" 1}', 1), ('{"a": 01}', 1),
        ('{"a": "\n"}', 1), ('{"a": "\\x"}', 1), ("[" * 500, 1), ("/* open", 1), ('{\n\n"a": nul}', 3),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ConfigError, match=f"^a.json:{line}: is no JSON from here on"):
        add(text)


@pytest.mark.parametrize(
    ("text", "where"), [("[]", "the document"), ('{"hooks": []}', "hooks"), ("7", "the document")]
)
def test_an_object_that_is_none_is_refused(text: str, where: str) -> None:
    with pytest.raises(ConfigError, match=f"a.json: {where} is no object; add hooks.Stop by hand"):
        add(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=150)
@given(
    document=st.dictionaries(st.text(), VALUES, max_size=4),
    indent=st.sampled_from([None, 0, 2, "\t"]),
    path=st.lists(st.text(), min_size=1, max_size=3),
    value=VALUES,
)
def test_nothing_that_was_there_is_lost(
    document: dict[str, Any], indent: int | str | None, path: list[str], value: Any
) -> None:
    text = json.dumps(document, indent=indent)
    with contextlib.suppress(ConfigError):  # where the path leads through no object
        after = jsonc.add(text, "a.json", tuple(path), value)
        found = json.loads(after)
        assert jsonc.read(after, "a.json").value == found
        assert {key: found[key] for key in document if key != path[0]} == {
            key: there for key, there in document.items() if key != path[0]
        }
