"""Whether CODEOWNERS gives a file an owner."""

import pytest

from proctor.assess.owners import owns


@pytest.mark.parametrize(
    "text",
    ["* @ann\n", "/approvals.toml ann@example.org # comment\n", "# x\n\n*.toml @org/team\n",
     "[Security] @ann\n*.toml @ann\n", "*.toml\napprovals.toml @ann\n"],
)  # fmt: skip
def test_the_last_line_that_matches_names_an_owner(text: str) -> None:
    assert owns(text, "approvals.toml")


@pytest.mark.parametrize(
    "text",
    ["", "docs/ @ann\n", "* @ann\napprovals.toml\n", "* # @ann\n", "!approvals.toml @ann\n", "* ann\n"],
)  # fmt: skip
def test_without_such_a_line_nobody_owns_it(text: str) -> None:
    assert not owns(text, "approvals.toml")
