"""Plans everything that `proctor init` writes: policy, hooks, contract, a CI file."""

import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import msgspec

from proctor import _family, config
from proctor._whole import plain
from proctor.errors import ConfigError, UsageError
from proctor.records.place import find_clone
from proctor.setup import requirements
from proctor.setup.agents.base import Agent, Wish
from proctor.setup.ci.base import Service, installed_from
from proctor.setup.contract import contract, with_contract
from proctor.setup.edits import FileEdit, edit_file, file_edit
from proctor.setup.find import find_suites
from proctor.setup.git_hooks import HOOKS, hook_edit

AGENTS = "proctor.setup.agents"
SERVICES = "proctor.setup.ci"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for."""

    agents: tuple[str, ...] = ()
    """By their files' names, dashes allowed; none: those that are found."""
    rewrite: bool = False
    ci: str | None = None
    hook: str | None = None
    """The git hook."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What `init` would do."""

    edits: tuple[FileEdit, ...]
    """Those that change something."""
    suites: int
    agents: tuple[str, ...]
    """Names for people, and why each was taken up."""
    then: tuple[str, ...]
    """What people have to do themselves."""
    refused: tuple[str, ...]
    """Files that are left alone, and why, a line each."""


def plan(root: str, asked: Asked, environ: Mapping[str, str]) -> Plan:
    """Return what makes Proctor part of the repository at `root`.

    Raises:
        UsageError: an agent, a CI service or a git hook that is not known.
    """
    if asked.ci is not None and asked.ci not in _family.names(SERVICES):
        raise UsageError(f"init: --ci takes one of: {', '.join(_family.names(SERVICES))}")
    if asked.hook is not None and asked.hook not in HOOKS:
        raise UsageError(f"init: --hook takes one of: {', '.join(HOOKS)}")
    agents = dict(_chosen(root, asked, environ))
    suites = find_suites(root)
    wish = Wish(rewrite=asked.rewrite, suite=suites[0].found.command if suites else ())
    planning = _Planning(root)
    planning.attempt(lambda: _policy(root))
    for agent, _ in agents.values():
        for edit in agent.edits(wish):
            planning.attempt(lambda edit=edit: file_edit(root, edit))  # type: ignore[misc]
    for path in _contract_files(root, [agent for agent, _ in agents.values()]):
        planning.attempt(lambda path=path: _contract(root, path))  # type: ignore[misc]
    then = [agent.then for agent, _ in agents.values() if agent.then]
    if asked.ci is not None:
        service = _service(asked.ci)
        planning.attempt(lambda: _ci(root, service))
        then += service.then(installed_from())
    if asked.hook is not None:
        planning.attempt(lambda: hook_edit(find_clone(root), asked.hook or ""))
    return Plan(
        edits=tuple(edit for edit in planning.edits if not edit.empty),
        suites=len(suites),
        agents=tuple(f"{agent.name} ({why})" for agent, why in agents.values()),
        then=tuple(then),
        refused=tuple(planning.refused),
    )


class _Planning:
    """Edits as they come; a file that is refused does not stop the others."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.edits: list[FileEdit] = []
        self.refused: list[str] = []

    def attempt(self, make: Callable[[], FileEdit | None]) -> None:
        """Take up an edit, or the reason why there is none."""
        try:
            edit = make()
        except ConfigError as error:
            self.refused.append(str(error))
            return
        if edit is not None:
            self.edits.append(edit)


def _chosen(
    root: str, asked: Asked, environ: Mapping[str, str]
) -> Iterator[tuple[str, tuple[Agent, str]]]:
    known = {name: cast("Agent", agent) for name, agent in _family.members(AGENTS, "AGENT")}
    wanted = [name.replace("-", "_") for name in asked.agents]
    for typed, name in zip(asked.agents, wanted, strict=True):
        if name not in known:
            shown = ", ".join(one.replace("_", "-") for one in known)
            raise UsageError(f"init: there is no agent {typed!r}; known: {shown}")
    for name, agent in known.items():
        if wanted:
            if name in wanted:
                yield name, (agent, "asked for")
            continue
        why = _trace_of(agent, root, environ)
        if why:
            yield name, (agent, why)


def _trace_of(agent: Agent, root: str, environ: Mapping[str, str]) -> str:
    """Return what says that this agent is in use, '' if nothing does."""
    for trace in agent.traces:
        if os.path.lexists(os.path.join(root, trace)):
            return f"{trace} is here"
    home = environ.get("HOME", "")
    for trace in agent.home:
        if home and os.path.lexists(os.path.join(home, trace)):
            return f"~/{trace} exists"
    for program in agent.programs:
        if shutil.which(program, path=environ.get("PATH")):
            return f"{program} is installed"
    return ""


def _policy(root: str) -> FileEdit | None:
    change = requirements.plan(root).change
    if change.empty:
        return None
    path = os.path.relpath(change.path, root)
    before = change.before.encode() if os.path.exists(change.path) else None
    return FileEdit(path=path, before=before, after=change.after.encode())


def _contract_files(root: str, agents: Sequence[Agent]) -> list[str]:
    """Return where the agents read what a project asks of them, each file once.

    A file that takes in AGENTS.md, by a link or by `@AGENTS.md`, needs no part of its own.
    """
    wanted = dict.fromkeys(agent.contract for agent in agents if agent.contract)
    places: dict[str, str] = {}
    for name in sorted(wanted):
        target = "AGENTS.md" if _takes_in_agents(root, name) else name
        places.setdefault(os.path.realpath(os.path.join(root, target)), target)
    return list(places.values())


def _takes_in_agents(root: str, name: str) -> bool:
    try:
        with open(
            os.path.join(root, name), encoding="utf-8", errors="replace", opener=plain
        ) as file:
            return "@AGENTS.md" in file.read(1 << 20)
    except OSError:
        return False


def _contract(root: str, path: str) -> FileEdit:
    commands = _family.names("proctor.cli.commands")
    return edit_file(root, path, lambda text: with_contract(text, path, contract(commands)))


def _service(name: str) -> Service:
    service = _family.member(SERVICES, name, "SERVICE")
    assert isinstance(service, Service)  # noqa: S101 - what the family's files bind
    return service


def _ci(root: str, service: Service) -> FileEdit:
    text = service.text(_owed_lines(root), installed_from())

    def change(before: str) -> str:
        if before and "proctor" not in before:
            raise ConfigError(f"{service.path}: is there already and not Proctor's; move it away")
        return before or text

    return edit_file(root, service.path, change)


def _owed_lines(root: str) -> list[str]:
    """Return the shell lines that a change owes, from the repository's root."""
    owed = [(item.folder, item.command) for item in config.load(root).require if item.command]
    if not owed:
        owed = [(suite.folder, suite.found.command) for suite in find_suites(root)]
    lines = []
    for folder, command in owed:
        run = shlex.join(command or ())
        lines.append(f"cd {shlex.quote(folder)} && {run}" if folder else run)
    return lines
