"""Packs receipts, evidence and a log into one file for a job that judges elsewhere."""

from proctor.cli.base import Command, add_verb
from proctor.cli.notes import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="make|show|open")
    make = add_verb(
        verbs, "make", "pack receipts with what goes with them", "proctor bundle make --log"
    )
    add = make.add_argument
    add("files", nargs="*", metavar="RECEIPT", help="default: those in artifacts/")
    add("--output", metavar="F", default="proctor-bundle.zip", help="default: proctor-bundle.zip")
    add("--evidence", metavar="DIR", help="an evidence folder to pack too; default: evidence/")
    add("--log", metavar="F", nargs="?", const="", help="pack the span log too, with its reports")
    show = add_verb(
        verbs,
        "show",
        "list what a bundle holds, every member checked",
        "proctor bundle show proctor-bundle.zip",
    )
    show.add_argument("bundle", metavar="F")
    opened = add_verb(
        verbs,
        "open",
        "write what a bundle holds into a new folder",
        "proctor bundle open proctor-bundle.zip --output ../proof",
    )
    opened.add_argument("bundle", metavar="F")
    opened.add_argument("--output", metavar="DIR", required=True, help="a folder that is empty")


def _run(arguments: "Namespace") -> int:
    if arguments.verb == "make":
        return _make(arguments)
    from proctor.receipt.bundle import read_bundle, unpack

    bundle = read_bundle(arguments.bundle)
    if arguments.verb == "show":
        for name, data in sorted(bundle.files.items()):
            tell(f"{len(data):>12}  {name}")
    else:
        for path in unpack(bundle, arguments.output):
            print(path)
    return 0


def _make(arguments: "Namespace") -> int:
    import os

    from proctor.receipt import changes
    from proctor.receipt.bundle import Origin, gather, gather_log, pack
    from proctor.receipt.source import default_paths
    from proctor.records.place import find_clone

    clone = find_clone(os.getcwd())
    root = clone.root
    evidence = arguments.evidence
    if evidence is None and os.path.isdir(os.path.join(root, "evidence")):
        evidence = os.path.join(root, "evidence")
    receipts = arguments.files or default_paths(root)
    if not arguments.files and arguments.log is not None:
        # With a log, the receipts that are there go along; there need not be any.
        receipts = [path for path in receipts if os.path.lexists(path)]
    files = gather(root, receipts, evidence)
    if arguments.log is not None:
        from proctor.cli.where import log_to_read
        from proctor.records.log import read_log

        log, _ = log_to_read(arguments.log or None)
        spans = [span for span in read_log(log) if span.git is not None or span.report is not None]
        kept = dict.fromkeys(span.report.path for span in spans if span.report is not None)
        files |= gather_log(log, kept)
        if clone.git_dir is not None:
            files[changes.NAME] = changes.gather_changes(root, spans)
    pack(arguments.output, files, Origin(root=root, repository=clone.repository_id))
    tell(f"{arguments.output}: {len(files)} files")
    return 0


COMMAND = Command(
    summary="pack receipts, evidence and log into one file that is judged elsewhere",
    example="proctor bundle make --log",
    configure=_configure,
    run=_run,
)
