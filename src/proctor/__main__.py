"""`python -m proctor`: the command line without isolation.

With `-m` Python looks into the current folder first, so what a repository put
there could stand in for Proctor's own modules. Where the folder holds anything
of that name, this refuses. It does **not** help where Python already ran the
impostor instead of this file: only the `proctor` command (isolated mode) or
`python -P -m proctor` is safe in a repository that is not trusted.
"""

import os
import sys

from proctor.errors import EXIT_USAGE


def shadow(folder: str) -> str | None:
    """Return the entry of `folder` that could stand in for this package, if any."""
    here = os.path.realpath(os.path.dirname(__file__))
    for name in ("proctor", "proctor.py"):
        path = os.path.join(folder, name)
        if os.path.lexists(path) and os.path.realpath(path) != here:
            return name
    return None


def main() -> None:
    """Refuse where the current folder could shadow the package; else run the command."""
    found = None if sys.flags.safe_path else shadow(os.getcwd())
    if found is not None:
        sys.stderr.write(
            f"proctor: this folder holds {found!r}, which could stand in for Proctor; "
            "use the `proctor` command, or `python -P -m proctor`\n"
        )
        sys.exit(EXIT_USAGE)
    from proctor.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
