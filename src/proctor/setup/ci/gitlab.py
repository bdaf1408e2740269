"""GitLab CI: the runs that a change owes, under the recorder, then the gate."""

from collections.abc import Sequence

from proctor.setup.ci.base import Service

_HEAD = """\
# Runs what a change owes under Proctor, then judges the records by the base's policy.
# The CI/CD variable PROCTOR says where Proctor is installed from: a wheel, or git+URL@COMMIT.
# Include it in .gitlab-ci.yml:  include: {local: .gitlab/proctor.yml}
proctor:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: "0"
  script:
    - pipx install "${PROCTOR:?set it to a wheel of Proctor, or to git+URL@COMMIT}"
"""
_TAIL = """\
    - proctor gate --base "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
"""


def _text(lines: Sequence[str]) -> str:
    runs = "".join(f"    - |\n      {line}\n" for line in lines)
    return f"{_HEAD}{runs}{_TAIL}"


SERVICE = Service(path=".gitlab/proctor.yml", text=_text)
