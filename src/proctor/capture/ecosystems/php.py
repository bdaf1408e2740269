"""PHP: the interpreter, and what Composer installed."""

import json
from collections.abc import Sequence

from proctor.capture.base import Ecosystem, Probe, Toolbox


def _installed(tools: Toolbox) -> Sequence[str] | None:
    composer = tools.find("composer")
    words = ("show", "--format=json", "--no-interaction", "--no-plugins")
    said = None if composer is None else tools.ask((composer, *words))
    try:
        text = said or ""
        packages = json.loads(text[text.index("{") : text.rindex("}") + 1])["installed"]
        return [f"{package['name']} {package['version']}" for package in packages]
    except (ValueError, KeyError, TypeError):
        return None


ECOSYSTEM = Ecosystem(
    order=6,
    markers=("composer.json", "phpunit.xml", "phpunit.xml.dist"),
    locks=("composer.lock",),
    probes=(
        Probe(("php", "--version"), php=r"^PHP (\S+)"),
        Probe(("composer", "--version", "--no-plugins"), composer=r"version (\d\S*)"),
    ),
    installed=_installed,
)
