"""GitLab CI: one job runs what a change owes, a fresh one judges what was recorded."""

import json
from collections.abc import Sequence

from proctor.setup.ci.base import Origin, Service

_TEXT = """\
# Two jobs: the first runs the patch, the second judges what the first recorded by the policy of
# the target branch, in a checkout of its own, and runs nothing of the patch. How far to trust that,
# and which settings of the project it needs: docs/ci.md of Proctor.
# Include it in .gitlab-ci.yml:  include: {{local: .gitlab/proctor.yml}}
.proctor:
  image: python:3.13
  variables:
    GIT_DEPTH: "0"
    PROCTOR: {package} # a wheel, or git+URL@COMMIT
  before_script:
    - cd "$(mktemp -d)" # isolated: no file of the patch can stand in for a module of Python
    - python3 -I -m venv proctor
    - proctor/bin/python -I -m pip install --quiet "${{PROCTOR:?is not set in .gitlab/proctor.yml}}"
    - proctor=$PWD/proctor/bin/proctor

proctor-run:
  extends: .proctor
  stage: test
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    - cd "$CI_PROJECT_DIR"
    - &base |
      target=origin # of a merge request from a fork, the project that it goes to
      [ "$CI_MERGE_REQUEST_PROJECT_ID" = "$CI_PROJECT_ID" ] || target=$CI_MERGE_REQUEST_PROJECT_URL
      git fetch -q "$target" "refs/heads/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
      base=$(git rev-parse FETCH_HEAD)
    # Install here what the tests need. Exit codes are not looked at: they are in the records.
{lines}
    - $proctor bundle make --log --output proctor-bundle.zip
  artifacts:
    when: always
    paths: [proctor-bundle.zip]
    expire_in: 1 week

proctor-judge:
  extends: .proctor
  stage: test
  needs: [proctor-run]
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
      when: always # also says so where the first job was cancelled
  variables:
    GIT_STRATEGY: none # what the first job hands over lands in no checkout
  script:
    - git clone -q --no-checkout "$CI_REPOSITORY_URL" judged
    - cd judged
    - git fetch -q origin "$CI_COMMIT_SHA"
    - git checkout -q --detach "$CI_COMMIT_SHA"
    - *base
    - bundle=$CI_PROJECT_DIR/proctor-bundle.zip
    # The file, not the exit code, says how it went: no verdict is never a pass.
    - |
      $proctor gate --bundle "$bundle" --base "$base" \\
        --format json --output ../verdict.json || [ -s ../verdict.json ]
    - |
      report() {{ $proctor report --verdict ../verdict.json --format "$1" --output "$2"; }}
      report gitlab "$CI_PROJECT_DIR/gl-code-quality-report.json"
      report junit "$CI_PROJECT_DIR/proctor-junit.xml"
      $proctor report --bundle "$bundle" --base "$base" \\
        --format html --output "$CI_PROJECT_DIR/proctor-report.html"
    - $proctor report --verdict ../verdict.json --exit-code
  artifacts:
    when: always
    paths: [proctor-report.html]
    reports:
      codequality: gl-code-quality-report.json
      junit: proctor-junit.xml
"""


def _text(lines: Sequence[str], origin: Origin) -> str:
    runs = "\n".join(_run(line) for line in lines or ["make test"])
    return _TEXT.format(package=json.dumps(origin.package), lines=runs)


def _run(line: str) -> str:
    """Return the script's lines that run a shell line at the base, and on the patch."""
    at_base = f'$proctor run --at-base="$base" -- sh -c {_quoted(line)} || true'
    own = f"$proctor run -- sh -c {_quoted(line)} || true"
    return "\n".join(f"    - |\n      {one}" for one in (at_base, own))


def _quoted(line: str) -> str:
    return "'" + line.replace("'", "'\\''") + "'"


def _then(origin: Origin) -> tuple[str, ...]:
    place = f"in {SERVICE.path} set PROCTOR to a wheel of Proctor, or to git+URL@COMMIT"
    rest = (
        f"include {SERVICE.path} in .gitlab-ci.yml",
        "let merges wait for pipelines, and ask for a review of .gitlab-ci.yml: docs/ci.md",
    )
    return rest if origin.package else (place, *rest)


SERVICE = Service(path=".gitlab/proctor.yml", text=_text, then=_then)
