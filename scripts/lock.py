"""Writes requirements-dev.lock: every package of the build with the hash of its file.

`python scripts/lock.py REPORT` reads what `pip install --dry-run --report` says for
this interpreter and platform; `pip install --require-hashes -r` takes no other file.
"""

import json
import sys
from pathlib import Path

OUTPUT = Path(__file__).parent.parent / "requirements-dev.lock"


def main(report: str) -> int:
    """Write the lock file; a package without a hash is an error."""
    chosen = json.loads(Path(report).read_text(encoding="utf-8"))["install"]
    lines = []
    for item in chosen:
        facts = item["download_info"]
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        if "dir_info" in facts:
            continue  # the project itself
        hashes = facts.get("archive_info", {}).get("hashes", {})
        if "sha256" not in hashes:
            sys.stderr.write(f"{name} {version}: pip tells no hash of it\n")
            return 1
        lines.append(f"{name.lower()}=={version} --hash=sha256:{hashes['sha256']}\n")
    OUTPUT.write_text("".join(sorted(lines)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
