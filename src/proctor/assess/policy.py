"""The configuration as the gate's policy."""

from proctor.assess.reading import ArgvReader
from proctor.classify.base import Classification
from proctor.config import Config, DenyTable, RequireTable
from proctor.findings import Level
from proctor.gate.base import rules
from proctor.gate.evidence import Policy, Requirement
from proctor.gate.judge import WEIGHT
from proctor.requirements import from_requirement
from proctor.settings import DEFAULT_FLOORS


def policy_of(config: Config, reader: ArgvReader, *, every: bool) -> Policy:
    """Return the policy that `config` states."""
    class_floors = {name: item.floor_ms for name, item in config.classes.items() if item.floor_ms}
    return Policy(
        require=tuple(_requirement(item, reader) for item in config.require),
        ignore_paths=config.gate.ignore_paths,
        levels={name: Level(level) for name, level in config.gate.levels.items()},
        floors={**DEFAULT_FLOORS, **class_floors, **config.floors},
        deny=frozenset(config.deny.binaries),
        observe=config.gate.enforce == "observe",
        every=every,
        loosened=tuple(_loosened(config)),
    )


def _requirement(item: RequireTable, reader: ArgvReader) -> Requirement:
    found = reader.outermost(item.command) if item.command else None
    if found is None:
        name = item.command_class or item.command[0].rpartition("/")[2]
        found = Classification(item.command or (name,), name, "test", None)
    return Requirement(item=item, selection=from_requirement(found, item))


def _loosened(config: Config) -> list[str]:
    """Say in words what the configuration lowers below the defaults."""
    said = []
    defaults = {name: rule.level for name, rule in rules()}
    for name, level in sorted(config.gate.levels.items()):
        usual = defaults.get(name)
        if usual is not None and WEIGHT[Level(level)] < WEIGHT[usual]:
            said.append(f"{name} is a {level}")
    if config.gate.ignore_paths:
        said.append(f"changes of {', '.join(config.gate.ignore_paths)} are ignored")
    if config.gate.enforce == "observe":
        said.append("nothing is blocked (enforce = observe)")
    for name, floor in sorted(config.floors.items()):
        if floor < DEFAULT_FLOORS.get(name, 0):
            said.append(f"the floor of {name} is {floor} ms")
    missing = sorted(set(DenyTable().binaries) - set(config.deny.binaries))
    if missing:
        said.append(f"{', '.join(missing)} may claim to test")
    return said
