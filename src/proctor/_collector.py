"""Spares the collector of cycles work that finds nothing.

It looks at every object again and again while many are made, and so takes time that
grows faster than their number.
"""

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


class Paused:
    """Within it nothing is searched for cycles; what nobody holds goes at once all the same.

    For what makes many objects that last and no cycles: of those that others make
    meanwhile, none goes before its end.
    """

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        if self._was_on:
            gc.enable()
