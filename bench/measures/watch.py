"""`watch` around a program that computes in long-lived threads."""

import subprocess
from pathlib import Path

from measuring import PROCTOR, compare, timed


def measure(folder: Path) -> None:
    """Compare it with the program alone, which runs for about five seconds."""
    source = folder / "burn.c"
    source.write_text(
        "#include <pthread.h>\n"
        "static void *burn(void *p) { volatile unsigned long n = 0;"
        " while (n < 20000000000UL) n++; return p; }\n"
        "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, burn, 0);"
        " for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }\n"
    )
    program = str(folder / "burn")
    if subprocess.run(["cc", "-O1", "-pthread", "-o", program, source], check=False).returncode:
        print("skipped: no C compiler")
        return
    compare(
        "watch on long-lived computing threads ÷ bare",
        1.02,
        lambda: timed([PROCTOR, "watch", "--", program]),
        lambda: timed([program]),
        7,
    )
