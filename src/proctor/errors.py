"""Every exception raised on purpose, and the exit codes.

```
Error
├── UsageError        64  the words of the command line are off
├── EvidenceError     65  evidence or configuration cannot be read
│   ├── ConfigError
│   ├── LogError
│   ├── OracleError
│   ├── ReportError
│   ├── RepositoryError
│   └── TranscriptError
├── RecorderError    125  the recorder could not do its work
└── Fault             70  a fault in Proctor itself
```

A failing test is data, not an exception: an exception means that no judgement
was possible. Only `proctor.cli.main` turns one into text.
"""

EXIT_PASS = 0
EXIT_FAIL = 1
EXIT_UNPROVEN = 2
EXIT_USAGE = 64
EXIT_EVIDENCE = 65
EXIT_FAULT = 70
EXIT_RECORDER = 125
EXIT_NOT_EXECUTABLE = 126
EXIT_NOT_FOUND = 127
EXIT_SIGNAL = 128


class Error(Exception):
    """No judgement, or no record, was possible.

    `slug` names the entry in the documentation; `exit_code` is what the
    command line returns.
    """

    slug = "error"
    exit_code = EXIT_FAULT


class UsageError(Error):
    """The words of a command line are off."""

    slug = "usage"
    exit_code = EXIT_USAGE


class EvidenceError(Error):
    """Something that should be judged cannot be read."""

    slug = "evidence"
    exit_code = EXIT_EVIDENCE


class ConfigError(EvidenceError):
    """A `proctor.toml` or `[tool.proctor]` cannot be understood."""

    slug = "config"


class LogError(EvidenceError):
    """A span log cannot be read."""

    slug = "log"


class OracleError(EvidenceError):
    """A trace, a corpus, a policy or a lock of the oracle cannot be read."""

    slug = "oracle"


class ReportError(EvidenceError):
    """A report of executed tests cannot be read, or was not written in this run."""

    slug = "report"


class RepositoryError(EvidenceError):
    """git, or the repository, gives no answer."""

    slug = "repository"


class TranscriptError(EvidenceError):
    """A transcript cannot be read, or is in no known format."""

    slug = "transcript"


class RecorderError(Error):
    """The recorder could not start, or could not write down what it saw."""

    slug = "recorder"
    exit_code = EXIT_RECORDER


class Fault(Error):  # noqa: N818 - the word of the exit code table
    """Proctor itself is at fault."""

    slug = "fault"
    exit_code = EXIT_FAULT
