"""GitHub Actions: the runs that a change owes, under the recorder, then the gate."""

from collections.abc import Sequence

from proctor.setup.ci.base import Service

_HEAD = """\
# Runs what a change owes under Proctor, then judges the records by the base's policy.
# Add what your tests need before the runs. The variable PROCTOR of the repository says
# where Proctor is installed from: a wheel, or git+URL@COMMIT.
name: proctor
on: pull_request
permissions:
  contents: read
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - run: pipx install "${PROCTOR:?set it to a wheel of Proctor, or to git+URL@COMMIT}"
        env:
          PROCTOR: ${{ vars.PROCTOR }}
"""
_TAIL = """\
      - run: proctor gate --base "origin/$GITHUB_BASE_REF"
"""


def _text(lines: Sequence[str]) -> str:
    runs = "".join(f"      - run: |\n          {line}\n" for line in lines)
    return f"{_HEAD}{runs}{_TAIL}"


SERVICE = Service(path=".github/workflows/proctor.yml", text=_text)
