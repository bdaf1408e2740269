"""Reads options by a runner's tables.

On the light path: no imports.
"""

from proctor.classify.base import Classification, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HARMLESS = frozenset(
    (
        *("-q", "-v", "-vv", "-vvv", "-s", "-x", "-l", "-ra", "-rA", "-rf", "-rs", "--no-color"),
        *("--run", "--no-watch", "--watch=false", "--watchAll=false", "--runInBand", "--bail"),
        *("--forceExit", "--detectOpenHandles", "--passWithNoTests=false"),
    )
)
"""Arguments handed on to an unknown runner that leave the selection alone."""
HARMLESS_STARTS = (
    *("--tb=", "--verbose", "--color", "--silent", "--ci", "--coverage", "--reporter"),
    *("--maxWorkers=", "--max-workers=", "--pool=", "--testTimeout=", "--timeout="),
)


class Parsed:
    """Arguments as a runner takes them: options and positionals in order."""

    __slots__ = ("doubtful", "items", "rest")

    def __init__(self) -> None:
        self.items: list[tuple[str | None, str | None]] = []
        """`(option, value or none)`, or `(none, positional)`."""
        self.rest: list[str] | None = None
        """What stands after `--`; none where there is no `--`."""
        self.doubtful: set[int] = set()
        """Positions in `items` that may be the value of an unknown option."""

    def positionals(self) -> list[str]:
        """Return the arguments that are neither options nor their values."""
        return [value for name, value in self.items if name is None and value is not None]

    def value(self, name: str) -> str | None:
        """Return the last value given to an option, none if it was not given."""
        found = None
        for given, value in self.items:
            if given == name:
                found = value if value is not None else ""
        return found

    def has(self, *names: str) -> bool:
        """Return whether one of the options was given."""
        return any(given in names for given, _ in self.items if given is not None)


def parse(tokens: "Sequence[str]", options: Options) -> Parsed:
    """Return `tokens` (without the program) read by `options`.

    An unknown option takes no value: what follows it counts as a positional,
    so that doubt narrows a selection and never widens it.
    """
    parsed = Parsed()
    at, end = 0, len(tokens)
    while at < end:
        arg = tokens[at]
        at += 1
        if arg == "--":
            parsed.rest = list(tokens[at:])
            break
        if len(arg) < 2 or arg[0] != "-":
            if at > 1 and _is_unknown(tokens[at - 2], options):
                parsed.doubtful.add(len(parsed.items))
            parsed.items.append((None, arg))
            continue
        for name, value in _split(arg, options):
            taken = value
            if value is None and at < end and _takes_next(name, tokens[at], options):
                taken = tokens[at]
                at += 1
            parsed.items.append((name, taken))
    return parsed


def fill(found: Classification, parsed: Parsed, options: Options) -> Classification:
    """Write what `parsed` says into `found`, by the tables; return it.

    Positionals and selecting options become selectors, in order.
    """
    selectors, narrowing, excluding, empty, updates = [], [], [], [], []
    for name, value in parsed.items:
        if name is None:
            selectors.append(value or "")
            continue
        text = name if value is None else f"{name}={value}"
        if name in options.selecting:
            selectors.append(text)
        if name in options.narrowing:
            narrowing.append(text)
        if name in options.excluding:
            excluding.append(text)
        if name in options.allows_empty:
            empty.append(text)
        if name in options.updates:
            updates.append(text)
        if name in options.not_a_run and found.not_a_run is None:
            found.not_a_run = name
        if name in options.report and value:
            found.report = (options.report[name], value)
    found.selectors = tuple(selectors) + tuple(parsed.rest or ())
    found.narrowing = tuple(narrowing)
    found.excluding = tuple(excluding)
    found.allows_empty = tuple(empty)
    found.updates = tuple(updates)
    return found


def handed_on(tokens: "Sequence[str]") -> tuple[str, ...]:
    """Return arguments handed on to a runner below that may narrow it, as `-- ARG`."""
    return tuple(
        f"-- {arg}" for arg in tokens if arg not in HARMLESS and not arg.startswith(HARMLESS_STARTS)
    )


def split_words(text: str) -> list[str]:  # noqa: PLR0912 - one branch a kind of character
    """Return the words of `text` as a shell or `shlex` splits them, nothing expanded.

    An unclosed quotation ends with the text.
    """
    words: list[str] = []
    word: list[str] = []
    quote, started, at = "", False, 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "\\" and quote != "'" and at < len(text):
            escaped = text[at]
            word.append(escaped if not quote or escaped in '"\\$`' else char + escaped)
            started, at = True, at + 1
        elif quote:
            if char == quote:
                quote = ""
            else:
                word.append(char)
        elif char in " \t\n":
            if started:
                words.append("".join(word))
            word, started = [], False
        else:
            started = True
            if char in "'\"":
                quote = char
            else:
                word.append(char)
    if started:
        words.append("".join(word))
    return words


def _split(arg: str, options: Options) -> "Iterator[tuple[str, str | None]]":
    name, bound, value = arg.partition("=")
    if options.style == "single":
        name = "-" + name.lstrip("-")
        yield options.aliases.get(name, name), value if bound else None
    elif arg.startswith("--"):
        yield _canonical(name, options), value if bound else None
    elif name in options.known and len(name) > 2:
        yield options.aliases.get(name, name), value if bound else None
    else:
        yield from _cluster(arg, options)


def _cluster(arg: str, options: Options) -> "Iterator[tuple[str, str | None]]":
    """Yield the options of `-xvsk`, `-kexpr` or `-k=expr`."""
    for at in range(1, len(arg)):
        name = "-" + arg[at]
        name = options.aliases.get(name, name)
        if name in options.valued or name in options.optional:
            value = arg[at + 1 :]
            yield name, value.removeprefix("=") if value else None
            return
        yield name, None


def _canonical(name: str, options: Options) -> str:
    if options.style == "camel":
        head, *parts = name[2:].split("-")
        name = "--" + head + "".join(part[:1].upper() + part[1:] for part in parts)
    if options.style == "abbreviated" and name not in options.known:
        fits = {
            options.aliases.get(known, known) for known in options.known if known.startswith(name)
        }
        if len(fits) == 1:
            return fits.pop()
    return options.aliases.get(name, name)


def _takes_next(name: str, arg: str, options: Options) -> bool:
    if name in options.valued:
        return True
    return name in options.optional and not arg.startswith("-")


def _is_unknown(arg: str, options: Options) -> bool:
    if not arg.startswith("-") or "=" in arg:
        return False
    return all(name not in options.known for name, _ in _split(arg, options))
