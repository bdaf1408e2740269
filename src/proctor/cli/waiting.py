"""Says on stderr what is being done, where it takes longer than a second; on a terminal only."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

PATIENCE = 1.0
"""Seconds before anything is said."""


@contextmanager
def waiting(stream: TextIO, what: str) -> Iterator[None]:
    """Show what is being done and for how long, until it is done."""
    if not stream.isatty():
        yield
        return
    done = threading.Event()
    shown = threading.Thread(target=_spin, args=(stream, what, done), daemon=True)
    shown.start()
    try:
        yield
    finally:
        done.set()
        shown.join()


def _spin(stream: TextIO, what: str, done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=stream), transient=True) as bar:
        bar.add_task(what, total=None)
        done.wait()
