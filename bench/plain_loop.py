"""The loop that people write: json.loads, the checks of `gate --every`.

    python plain_loop.py LOG [--chain]

`--chain` verifies every link as well.
"""

import hashlib
import json
import sys

DENIED = {"echo", "true", "false", "cat", "printf"}


def main(path: str, *, chain: bool) -> int:
    bad = 0
    before = "0" * 64
    with open(path, "rb") as file:
        for line in file:
            span = json.loads(line)
            if (
                not span["argv"]
                or span["exit_code"] != 0
                or span["denied_binary"]
                or span["duration_ms"] < span["duration_floor_ms"]
            ):
                bad += 1
            if chain:
                digest = span.pop("digest")
                body = json.dumps(span, separators=(",", ":")).encode()
                if span["prev"] != before or hashlib.sha256(body).hexdigest() != digest:
                    bad += 1
                before = digest
    print(bad)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], chain="--chain" in sys.argv))
