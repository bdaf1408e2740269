"""GitHub Actions: one job runs what a change owes, a fresh one judges what was recorded."""

from collections.abc import Sequence

from proctor.setup.ci.base import Origin, Service

_PLACE = "OWNER/proctor@COMMIT"
_TEXT = """\
# Two jobs: the first runs the patch, without secrets; the second, on a fresh machine, judges what
# the first recorded by the policy of the base, and runs nothing of the patch. How far that can be
# trusted, and which settings of the repository it needs: docs/ci.md of Proctor.
name: proctor
on: pull_request
permissions:
  contents: read
jobs:
  run:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          fetch-depth: 0
          persist-credentials: false
      # Install here what the tests need; Proctor brings nothing of it.
      - uses: {action}
        with:
          mode: run
          command: |
{lines}
  judge:
    needs: run
    if: always() # also says so where the first job was cancelled
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: {action}
        with:
          mode: judge
"""


def _text(lines: Sequence[str], origin: Origin) -> str:
    shown = "\n".join(f"            {line}" for line in lines or ["make test"])
    return _TEXT.replace("{lines}", shown).replace("{action}", origin.action or _PLACE)


def _then(origin: Origin) -> tuple[str, ...]:
    place = f"in {SERVICE.path} put the repository and the full commit id of Proctor for {_PLACE}"
    required = "require the check `judge` of the main branch, and a review of .github/: docs/ci.md"
    return (required,) if origin.action else (place, required)


SERVICE = Service(path=".github/workflows/proctor.yml", text=_text, then=_then)
