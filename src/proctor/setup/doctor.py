"""Examines a set-up: what recording sees here, how far to trust it, what is missing."""

import os
from collections.abc import Iterator, Mapping

import msgspec

from proctor import config
from proctor.errors import Error, LogError
from proctor.host import boot_id
from proctor.receipt.keys import default_key
from proctor.records.log import LogRead, read_log
from proctor.records.place import Clone, chosen_log, find_clone, is_inside, log_path
from proctor.records.starts import read_pending
from proctor.setup.abilities import abilities
from proctor.setup.automation import gate_in_automation
from proctor.setup.check import Check
from proctor.setup.growth import size_of_records
from proctor.setup.witness import Witness, find_witness

_SAMPLES = (
    ("curl", "-H", "Authorization: Bearer {secret}"),
    ("env", "API_KEY={secret}", "pytest"),
    ("tool", "--password={secret}"),
    ("bash", "-c", "DEPLOY_TOKEN={secret} make test"),
)
_OPEN = (0o020, 0o002, 0o022)
"""Modes of a folder, without the sticky bit, in which others may replace files."""
_SHOWN = ("yama", "seccomp")
"""Facts about the witness that people are told."""
_SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"  # noqa: S105 - a made-up one


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """What `proctor doctor` found."""

    can_record: bool
    witness: Witness
    trust_level: int
    """Of the threat model, reached by a record made here by this user: 0 or 1."""
    trust_detail: str
    log: str
    checks: tuple[Check, ...]

    def rows(self) -> "Iterator[tuple[str, str, str, str]]":
        """Yield state, name, detail and cure of every point, the witness first."""
        witness = self.witness
        state = "ok" if witness.kind == "tree" else "hint"
        facts = ", ".join(f"{n} {witness.facts[n]}" for n in _SHOWN if n in witness.facts)
        detail = f"{witness.kind}: {witness.detail}" + (f" ({facts})" if facts else "")
        yield state, "witness", detail, witness.cure
        yield "ok", "trust", f"level {self.trust_level} of 3: {self.trust_detail}", ""
        for check in self.checks:
            yield check.state, check.name, check.detail, check.cure


def examine(folder: str, environ: Mapping[str, str], flag: str | None = None) -> Diagnosis:
    """Return the diagnosis for the repository that holds `folder`.

    Nothing is written. Faults of the configuration are checks, not exceptions.

    Raises:
        RecorderError: no state folder can be found.
    """
    clone = find_clone(folder)
    settings, fault = _settings(clone.root)
    log = chosen_log(flag, settings.log.path, clone, dict(environ))
    place = _place(log)
    level, why = _trust(log)
    own = os.path.dirname(log_path(clone, dict(environ)))
    checks = [fault, place, _outside(log, clone), *_records(log), size_of_records(log, own)]
    checks += [*abilities(clone.root, environ), _secrets(settings)]
    checks += [_required(settings), _floors(settings), gate_check(clone.root)]
    checks.append(_key(environ))
    return Diagnosis(
        can_record=place.state != "bad" and fault.state != "bad",
        witness=find_witness(environ),
        trust_level=level,
        trust_detail=why,
        log=log,
        checks=tuple(checks),
    )


def _settings(root: str) -> tuple[config.Config, Check]:
    try:
        found = config.load(root)
        path = config.find(root)
    except Error as error:
        return config.Config(), Check(
            name="configuration", state="bad", detail=str(error), cure="correct that line"
        )
    detail = f"{path}" if path else "none: defaults"
    return found, Check(name="configuration", state="ok", detail=detail)


def _place(log: str) -> Check:
    """Whether the recorder could write the log."""
    target = log if os.path.lexists(log) else os.path.dirname(log)
    while not os.path.lexists(target):
        target = os.path.dirname(target)
    cure = "choose a writable place: export PROCTOR_STATE_DIR=FOLDER"
    if os.path.islink(log) or (os.path.exists(log) and not os.path.isfile(log)):
        return Check(name="log", state="bad", detail=f"{log}: not a regular file", cure=cure)
    if not os.access(target, os.W_OK) or not (target == log or os.path.isdir(target)):
        return Check(name="log", state="bad", detail=f"{target}: cannot be written", cure=cure)
    if os.path.isfile(log) and os.stat(log).st_mode & 0o077:
        detail = f"{log}: others may read or write it"
        return Check(name="log", state="hint", detail=detail, cure=f"chmod 600 {log}")
    if os.path.isfile(log) and os.stat(os.path.dirname(log)).st_mode & 0o1022 in _OPEN:
        detail = f"{log}: others may put another file in its place"
        cure = f"chmod go-w {os.path.dirname(log)}"
        return Check(name="log", state="hint", detail=detail, cure=cure)
    return Check(name="log", state="ok", detail=log)


def _outside(log: str, clone: Clone) -> Check:
    if clone.common_dir is not None and is_inside(log, clone.root):
        return Check(
            name="log outside the repository",
            state="bad",
            detail="what runs in the repository can rewrite it",
            cure="drop [log] path, PROCTOR_LOG or --log: the default is outside",
        )
    return Check(name="log outside the repository", state="ok", detail="yes")


def _trust(log: str) -> tuple[int, str]:
    folder = os.path.dirname(log)
    if os.path.isfile(log) and not os.access(log, os.W_OK) and not os.access(folder, os.W_OK):
        return 1, "this user cannot write the log"
    return 0, (
        "this user can write the log; for level 1 the agent must not be able to: "
        "give it a sandbox without the state folder and start it with: proctor watch -- AGENT"
    )


def _records(log: str) -> Iterator[Check]:
    """Yield the checks that need the log itself."""
    if not os.path.lexists(log):
        cure = "proctor run -- CMD"
        yield Check(name="records", state="hint", detail="nothing recorded yet", cure=cure)
        return
    try:
        read = read_log(log)
        roots, joined = _count_roots(read)
    except LogError as error:
        yield Check(name="records", state="bad", detail=str(error))
        return
    if read.problem_count:
        detail = f"{read.problem_count} problems, the first: {read.problems[0].message}"
        yield Check(name="records", state="bad", detail=detail, cure=f"proctor verify {log}")
    else:
        yield Check(name="records", state="ok", detail=f"{read.length}, the chain is whole")
    lost = [p for p in read_pending(log) if not p.locked and p.boot_id in (None, boot_id())]
    if lost:
        detail = f"{len(lost)} recorders ended before what they recorded"
        yield Check(name="ends", state="hint", detail=detail, cure="proctor log, then run again")
    yield _parents(roots, joined)


def _count_roots(read: LogRead) -> tuple[int, int]:
    roots = joined = 0
    for span in read:
        if span.parent_span_id is None:
            roots += 1
            joined += span.parent_tool_span is not None
    return roots, joined


def _parents(roots: int, joined: int) -> Check:
    detail = f"{joined} of {roots} runs name the agent's tool call"
    if joined or not roots:
        return Check(name="parents joined", state="ok", detail=detail)
    cure = "proctor run --parent ID -- CMD, or export PROCTOR_PARENT_SPAN=ID"
    return Check(name="parents joined", state="hint", detail=detail, cure=cure)


def _secrets(settings: config.Config) -> Check:
    """Mask a made-up secret in several places, by the rules of this repository."""
    from proctor.redact import redact_argv

    for sample in _SAMPLES:
        argv = [word.format(secret=_SECRET) for word in sample]
        masked, _ = redact_argv(argv, flags=settings.redact.flags, names=settings.redact.names)
        if any(_SECRET in word for word in masked):
            return Check(
                name="secrets masked",
                state="bad",
                detail=f"a secret shows in: {' '.join(sample)}",
                cure="add its name to [redact] names, and report it",
            )
    return Check(name="secrets masked", state="ok", detail=f"{len(_SAMPLES)} kinds tried")


def _required(settings: config.Config) -> Check:
    number = len(settings.require)
    if number:
        return Check(name="requirements", state="ok", detail=f"{number} [[require]]")
    detail = "none: the gate asks for what was attempted before"
    return Check(name="requirements", state="hint", detail=detail, cure="proctor init")


def _floors(settings: config.Config) -> Check:
    if settings.floors:
        names = ", ".join(sorted(settings.floors))
        return Check(name="floors measured", state="ok", detail=names)
    cure = "proctor floors measure -- CMD"
    return Check(name="floors measured", state="hint", detail="defaults only", cure=cure)


def _key(environ: Mapping[str, str]) -> Check:
    """Whether what runs as this user, an agent's shell too, could sign receipts."""
    path = default_key(environ)
    if not os.access(path, os.R_OK):
        return Check(name="signing key", state="ok", detail="none that this user can read")
    return Check(
        name="signing key",
        state="hint",
        detail=f"{path}: whatever runs as this user can sign with it, an agent's shell too",
        cure="keep it under another user, or on CI alone",
    )


def gate_check(root: str) -> Check:
    """Return whether something that runs on every change calls the gate."""
    present, found = gate_in_automation(root)
    if found:
        return Check(name="gate in CI", state="ok", detail=found)
    detail = f"not in {', '.join(present[:3])}" if present else "no CI configuration found"
    return Check(name="gate in CI", state="hint", detail=detail, cure="add a job: proctor gate")
