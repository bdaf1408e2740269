"""Which files a CODEOWNERS file gives an owner."""

from proctor.requirements import patterns


def owns(text: str, path: str) -> bool:
    """Return whether the last line of CODEOWNERS that matches `path` names an owner.

    Names are not looked up: whether they exist, and are asked, is the platform's.
    """
    found = False
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if not words or words[0].startswith(("[", "^[", "!")):
            continue
        if patterns([words[0]]).match_file(path):
            found = any("@" in word for word in words[1:])
    return found
