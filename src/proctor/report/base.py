"""What a report format's file says."""

from collections.abc import Callable

import msgspec

from proctor.findings import Verdict


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """What a report format's file binds to `FORMAT`; the file's name is the format's.

    `render` takes the verdict and whether colour may be used, and returns text
    that ends with a newline.
    """

    render: Callable[[Verdict, bool], str]
