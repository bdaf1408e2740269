"""Fixtures for the tests of runners."""

import shlex
from collections.abc import Callable, Mapping

import pytest

from proctor.classify.base import Classification
from proctor.classify.classify import classify_argv

Read = Callable[..., Classification]


@pytest.fixture
def read() -> Read:
    """Return a function that classifies a line as one process image."""

    def one(line: str, environ: Mapping[str, str] | None = None) -> Classification:
        found = classify_argv(shlex.split(line), peel=False, environ=environ)
        assert found is not None, line
        return found

    return one


@pytest.fixture
def is_nothing() -> Callable[[str], bool]:
    """Return a function that says whether a line has no class."""
    return lambda line: classify_argv(shlex.split(line), peel=False) is None
