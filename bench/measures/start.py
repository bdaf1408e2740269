"""How long `proctor run -- true` takes to start."""

import subprocess
from pathlib import Path

from measuring import BARE, PROCTOR, compare, install, timed


def measure(folder: Path) -> None:
    """Compare it with a bare interpreter and with in-toto-run."""
    ours = [PROCTOR, "run", "--", "true"]
    compare("run -- true ÷ python3 -I -c pass", 3.5, lambda: timed(ours), lambda: timed(BARE), 41)
    in_toto = install(folder, "in-toto", "in-toto-run")
    if in_toto is None:
        print("skipped: in-toto-run cannot be installed here")
        return
    key = folder / "key.pem"
    make_key = (
        "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey as K;"
    )
    make_key += "from cryptography.hazmat.primitives import serialization as s;"
    make_key += "print(K.generate().private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8,"
    make_key += " s.NoEncryption()).decode(), end='')"
    python = str(Path(in_toto).parent / "python")
    made = subprocess.run([python, "-c", make_key], capture_output=True, check=True)
    key.write_bytes(made.stdout)
    theirs = [in_toto, "-n", "x", "--signing-key", str(key), "-d", str(folder), "--", "true"]
    subprocess.run(theirs, check=True, capture_output=True)
    compare(
        "run -- true ÷ in-toto-run -- true", 0.25, lambda: timed(ours), lambda: timed(theirs), 9
    )
