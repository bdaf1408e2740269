"""The loop that people write over transcripts: json.loads of every line, or of the document.

python plain_json.py FILE…
"""

import json
import sys


def main(paths: list[str]) -> None:
    """Decode everything and count the commands."""
    found = 0
    for path in paths:
        with open(path, "rb") as file:
            lines = file if path.endswith(".jsonl") else [file.read()]
            for line in lines:
                found += "command" in json.loads(line)
    print(found)


if __name__ == "__main__":
    main(sys.argv[1:])
