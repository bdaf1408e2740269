"""What an audit format's file says."""

from collections.abc import Callable

import msgspec

from proctor.audit.report import Report
from proctor.report.style import Style


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit format's file binds to `FORMAT`; the file's name is the format's.

    `render` takes the report and the look of the output it goes to, and returns text
    that ends with a newline.
    """

    render: Callable[[Report, Style], str]
