"""Finds the files that say what a CI service runs, and whether they call the gate."""

import glob
import os
import re

from proctor._whole import plain

FILES = (
    ".github/workflows/*.yml",
    ".github/workflows/*.yaml",
    ".forgejo/workflows/*.yml",
    ".gitea/workflows/*.yml",
    ".gitlab-ci.yml",
    ".gitlab/**/*.yml",
    ".circleci/config.yml",
    ".buildkite/*.yml",
    ".woodpecker.yml",
    ".woodpecker/*.yml",
    ".travis.yml",
    ".drone.yml",
    "appveyor.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    ".ci/*",
)
_GATE = re.compile(
    r"(?<![\w-])proctor(?![\w-])[^\n]*\b(gate|receipt|merge-check)\b|\buses:\s*\S+/proctor@"
)
"""A call of the gate, or Proctor's own action."""
LARGEST = 1 << 20
"""Bytes of a file that are looked at."""


def gate_in_automation(root: str) -> tuple[list[str], str | None]:
    """Return the CI files of a repository, and the first that calls Proctor's gate.

    A call in a file shows that somebody wrote it there, **not** that a merge
    waits for it: that is the platform's setting.
    """
    present = sorted(
        name
        for pattern in FILES
        for name in glob.glob(pattern, root_dir=root, recursive=True)
        if os.path.isfile(os.path.join(root, name))
    )
    for name in present:
        try:
            with open(
                os.path.join(root, name), encoding="utf-8", errors="replace", opener=plain
            ) as file:
                lines = file.read(LARGEST).splitlines()
        except OSError:
            continue
        if any(_GATE.search(line.partition("#")[0]) for line in lines):
            return present, name
    return present, None
