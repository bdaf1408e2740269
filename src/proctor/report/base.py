"""What a report format's file says."""

from collections.abc import Callable

import msgspec

from proctor.findings import Verdict
from proctor.report.style import Style


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """What a report format's file binds to `FORMAT`; the file's name is the format's.

    `render` takes the verdict and the look of the output it goes to, and returns
    text that ends with a newline.
    """

    render: Callable[[Verdict, Style], str]
