"""Files that decide how a patch is judged, beside `proctor.toml`.

By name: what the platform runs, what an agent's client runs or allows, who is
asked for a review, what Proctor itself reads. Prose for agents (AGENTS.md, rules,
skills) is none of these.
"""

from collections.abc import Iterable, Iterator

import msgspec

from proctor import approvals, config
from proctor.errors import ConfigError
from proctor.flakes import quarantine
from proctor.gate.evidence import Change, PolicyChange
from proctor.requirements import patterns

_KINDS = {
    "a CI workflow": """
        /.github/workflows /.github/actions /.gitea/workflows /.gitea/actions /.forgejo/workflows
        /.forgejo/actions /.gitlab-ci.yml /.gitlab/ci /.circleci /.buildkite /.woodpecker
        /.woodpecker.yml /.woodpecker.yaml /.drone.yml /.travis.yml /.cirrus.yml /.cirrus.star
        /appveyor.yml /.appveyor.yml /azure-pipelines.yml /.azure-pipelines
        /bitbucket-pipelines.yml /buildspec.yml /cloudbuild.yaml /cloudbuild.yml /.teamcity
        /.semaphore /.tekton /Jenkinsfile
    """,
    "a hook or setting of an agent": """
        .claude/settings*.json .claude/hooks .mcp.json .codex/*.toml .codex/*.json .codex/hooks
        .codex/rules .gemini/settings*.json .gemini/hooks .cursor/hooks.json .cursor/hooks
        .cursor/mcp.json .cursor/cli.json .cursor/settings.json .cursor/permissions.json
        .cursor/environment.json .github/hooks .opencode/*.json* .opencode/plugin
        .opencode/plugins opencode.json opencode.jsonc .qwen/settings*.json .windsurf/hooks.json
        .kiro/hooks .amazonq/cli-agents .aider.conf.yml .continue/config.* .roo/mcp.json
        .amp/settings.json .factory/hooks .factory/settings*.json
    """,
    "the code owners": "/CODEOWNERS /.github/CODEOWNERS /docs/CODEOWNERS /.gitlab/CODEOWNERS",
    "the quarantine": "/quarantine.txt",
    "the oracle's policy": "/oracle/policy.json /oracle/oracle.lock",
}
"""gitignore patterns, by what their files are."""
_ANY_DEPTH = ("a hook or setting of an agent",)
_SPECS = {
    kind: patterns([f"**/{p}" if kind in _ANY_DEPTH else p for p in lines.split()])
    for kind, lines in _KINDS.items()
}
_HOOK_FILES = patterns(
    ["/.husky", "/.githooks", "/lefthook.y*ml", "/.lefthook.y*ml", "/.pre-commit-config.y*ml"]
)
"""Hooks of git: they matter here where they start Proctor."""
_FOLDERS = frozenset(
    word.strip("/").split("/")[0]
    for lines in _KINDS.values()
    for word in lines.split()
    if word.strip("/").startswith(".") and "/" in word.strip("/")
)


def policy_kind(path: str) -> str | None:
    """Return what part of the policy the file at `path` is, by its name; or none.

    A file or link in the place of a folder that holds such files is one too.
    """
    for kind, spec in _SPECS.items():
        if spec.match_file(path):
            return kind
    if path.rpartition("/")[2] in _FOLDERS:  # such a folder itself, as a link or a file
        return "a folder of policy files"
    return None


def changed_policy_files(changes: Iterable[Change]) -> Iterator[PolicyChange]:
    """Yield each policy file that the patch changes, `proctor.toml` aside."""
    for change in changes:
        for path in change.paths:
            kind = policy_kind(path)
            if kind is None and _HOOK_FILES.match_file(path) and _names_proctor(change):
                kind = "a hook of git that starts Proctor"
            if kind is not None:
                yield PolicyChange(
                    path=path, what=f"{kind} {_verb(change, path)}", tightens=_shrinks(path, change)
                )
        yield from _approvals(change)


def is_telling(path: str) -> bool:
    """Return whether the text of the file at `path` is needed to judge its change."""
    return (
        path in (approvals.FILE, config.FILE, "quarantine.txt")
        or policy_kind(path) is not None
        or _HOOK_FILES.match_file(path)
    )


def _verb(change: Change, path: str) -> str:
    if change.old_blob is None:
        return "was added"
    if change.new_blob is None:
        return "was deleted"
    if change.old_path not in (None, change.path):
        return f"was moved to {change.path}" if path == change.old_path else "was moved here"
    return "was changed"


def _shrinks(path: str, change: Change) -> bool:
    """Return whether a quarantine only loses entries."""
    if path != "quarantine.txt" or change.old_text is None or change.old_path != path:
        return False
    if change.new_blob is not None and change.new_text is None:
        return False
    now = (change.new_text or "") if change.path == path else ""
    try:
        before, after = quarantine.parse(change.old_text), quarantine.parse(now)
    except ConfigError:
        return not now.strip()
    # The lines of an entry move when others above it go.
    return {_unplaced(entry) for entry in after} <= {_unplaced(entry) for entry in before}


def _unplaced(entry: quarantine.Entry) -> quarantine.Entry:
    return msgspec.structs.replace(entry, line=0)


def _names_proctor(change: Change) -> bool:
    return "proctor" in (change.old_text or "") + (change.new_text or "")


def _approvals(change: Change) -> Iterator[PolicyChange]:
    """Yield what `approvals.toml` no longer says; what it says anew has a rule of its own."""
    if change.path != approvals.FILE or change.new_blob is None:
        return
    try:
        approvals.parse((change.new_text or "").encode(), approvals.FILE)
    except ConfigError as error:
        yield PolicyChange(path=change.path, what=f"cannot be read now: {error}")
        return
    if change.new_text is None:
        yield PolicyChange(path=change.path, what="is no text now")
