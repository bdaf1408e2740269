"""Looks through transcripts and returns the report."""

import os
from collections.abc import Mapping, Sequence

import msgspec

from proctor.audit.lines import LineReader
from proctor.audit.places import Place, agent_folders, find
from proctor.audit.report import Report, Session, Unread
from proctor.audit.sessions import Fold, Memory
from proctor.errors import TranscriptError
from proctor.join.reading import read_transcript

MOST_ROWS = 20_000
"""Runs and claims, of all sessions, that are listed; all are counted."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of an audit."""

    paths: tuple[str, ...] = ()
    """Files and folders; none means every known agent's folder."""
    since: str = ""
    """Earlier calls and words are left out; RFC 3339, UTC, or empty."""
    modified_since: float = 0
    """Transcripts that were last written before this are not opened."""
    logs: tuple[str, ...] = ()
    classes: Mapping[str, Mapping[str, object]] = {}
    environ: Mapping[str, str] = {}


class Progress:
    """Is told how far an audit has come; this one does nothing with it."""

    def begin(self, transcripts: int, size: int) -> None:
        """Say how much there is to be read."""

    def advance(self, size: int) -> None:
        """Say that so many bytes were read."""

    def next(self, path: str) -> None:
        """Say which transcript is read now."""


def audit(request: Request, progress: Progress | None = None) -> Report:
    """Return what the transcripts say, in total and one by one.

    Ctrl-C ends the reading, not the report: it then holds what was read so far, and
    says so.

    Raises:
        LogError: a span log cannot be read.
    """
    return _Audit(request, progress or Progress()).run()


def looked_in(request: Request) -> Sequence[str]:
    """Return the paths that an audit looks in."""
    return request.paths or agent_folders(request.environ)


class _Audit:
    def __init__(self, request: Request, progress: Progress) -> None:
        self._request = request
        self._progress = progress
        self._reader = LineReader(request.classes)
        self._memory = Memory()
        self._report = Report(since=request.since or None, logs=request.logs)
        self._sessions: list[Session] = []
        self._unread: list[Unread] = []
        self._rows = 0
        self._keep = None
        self._witnesses = None
        if request.logs:
            from proctor.audit.witnessed import Witnesses

            self._witnesses = Witnesses(request.logs)
            self._keep = self._witnesses.keep

    def run(self) -> Report:
        report = self._report
        try:
            self._read_all()
        except KeyboardInterrupt:
            report.interrupted = True
        report.sessions = tuple(self._sessions)
        report.unread = tuple(self._unread)
        if self._witnesses is not None:
            self._witnesses.add_to(report)
        return report

    def _read_all(self) -> None:
        since = self._request.modified_since
        places = find(looked_in(self._request), modified_since=since)
        self._unread += places.unread
        self._progress.begin(len(places.found), places.size)
        for place in places.found:
            self._progress.next(place.path)
            self._read(place)

    def _read(self, place: Place) -> None:
        try:
            transcript = read_transcript(place.path, self._count)
        except TranscriptError as error:
            self._lose(place.path, error)
            return
        session = Session(path=place.path, reader=transcript.reader, agent=transcript.agent)
        fold = Fold(session, self._reader, self._memory, since=self._request.since, keep=self._keep)
        try:
            fold.take(transcript.entries)
        except KeyboardInterrupt:
            session.cut_short = True
            raise
        except TranscriptError as error:
            session.cut_short = True
            self._lose(place.path, error)
        finally:
            self._add(fold.result())

    def _count(self, size: int) -> None:
        self._report.bytes_read += size
        self._progress.advance(size)

    def _lose(self, path: str, error: TranscriptError) -> None:
        self._unread.append(Unread(path=path, why=str(error).removeprefix(f"{path}: ")))

    def _add(self, session: Session) -> None:
        report = self._report
        report.transcripts += 1
        report.agents[session.agent] = report.agents.get(session.agent, 0) + 1
        report.skipped += session.skipped
        report.totals.add(session.counts)
        if not (session.runs or session.claims or session.skipped or session.cut_short):
            return
        room = max(0, MOST_ROWS - self._rows)
        if len(session.runs) + len(session.claims) > room:
            session.left_out += len(session.runs) + len(session.claims)
            session.runs, session.claims = (), ()
        self._rows += len(session.runs) + len(session.claims)
        self._sessions.append(session)


def folder_names(environ: Mapping[str, str]) -> str:
    """Return where known agents keep transcripts, for a message."""
    from proctor.join.reading import known_readers

    home = environ.get("HOME") or os.path.expanduser("~")
    folders = [folder for _, reader in known_readers() for folder in reader.folders]
    return ", ".join(os.path.join(home, folder) for folder in folders)
