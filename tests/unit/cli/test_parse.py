import argparse
from pathlib import Path

import pytest

from proctor.__main__ import shadow
from proctor.cli import main as main_module
from proctor.cli import parse
from proctor.errors import UsageError


def mistake(*words: str) -> str:
    command = main_module._named(list(words))
    with pytest.raises(UsageError) as error:
        _ = parse.with_command([*words], command) if command else parse.without_command([*words])
    return str(error.value)


def test_an_unknown_command_names_the_nearest() -> None:
    assert mistake("vreify") == (
        "unknown command 'vreify' (did you mean 'verify'?); see `proctor --help`"
    )


def test_a_command_that_is_like_none_names_them_all() -> None:
    assert "(known: " in mistake("zzzzz")


def test_an_unknown_option_of_proctor_names_the_nearest() -> None:
    assert "did you mean '--version'?" in mistake("--versoin")


def test_an_unknown_option_names_the_nearest() -> None:
    assert mistake("log", "--faling") == (
        "unknown option '--faling' (did you mean '--failing'?); see `proctor log --help`"
    )


def test_an_option_of_a_command_that_takes_none_is_named() -> None:
    assert mistake("schema", "span", "--x") == "unknown option '--x'; see `proctor schema --help`"


def test_an_option_of_a_verb_is_known_too() -> None:
    assert "did you mean '--dry-run'?" in mistake("floors", "measure", "--dryrun", "--", "x")


def test_options_are_never_guessed_from_their_beginning() -> None:
    assert "unknown option '--fail'" in mistake("log", "--fail")


def test_an_unknown_argument_is_named() -> None:
    assert mistake("init", "here") == "unknown argument 'here'; see `proctor init --help`"


def test_an_unknown_value_names_the_nearest() -> None:
    assert mistake("log", "--format", "jsn") == (
        "--format: unknown value 'jsn' (did you mean 'json'?); see `proctor log --help`"
    )
    assert mistake("schema", "sapn").startswith("unknown name 'sapn' (did you mean 'span'?)")


def test_a_missing_argument_is_named() -> None:
    assert "required: NAME" in mistake("schema")


def test_no_words_give_the_short_help_as_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main_module.run([]) == 64
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("usage: proctor COMMAND")


def test_help_shows_the_everydaycommands_and_all_of_them_on_demand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main_module.run(["--help"]) == 0
    short = capsys.readouterr().out
    for words in (["--help", "--all"], ["--all", "--help"]):
        assert main_module.run(words) == 0
        long = capsys.readouterr().out
        assert "  verify " in long
    assert "  log " in short
    assert "  verify " not in short
    assert main_module.run(["help"]) == 0
    assert capsys.readouterr().out == short


def test_every_command_ends_its_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for name, command in parse.commands():
        assert main_module.run([name, "--help"]) == 0
        shown = capsys.readouterr().out
        assert f"example:\n  {command.example}" in shown
        assert command.example.startswith(f"proctor {name}")
        assert not command.summary.endswith(".")
        assert main_module.run(["help", name]) == 0
        assert capsys.readouterr().out == shown


def test_help_for_an_unknown_command_names_the_nearest() -> None:
    assert "did you mean 'log'?" in mistake("help", "lgo")


def test_the_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    from proctor import __version__

    assert main_module.run(["--version"]) == 0
    assert capsys.readouterr().out == f"proctor {__version__}\n"


def test_only_what_could_stand_in_for_the_package_is_refused(tmp_path: Path) -> None:
    assert shadow(str(tmp_path)) is None
    (tmp_path / "proctor.py").touch()
    assert shadow(str(tmp_path)) == "proctor.py"
    assert shadow(str(Path(parse.__file__).parents[2])) is None


def test_an_unknown_verb_names_the_nearest() -> None:
    assert mistake("flakes", "quarantne") == (
        "unknown verb 'quarantne' (did you mean 'quarantine'?); see `proctor flakes --help`"
    )
    assert "(known: import, run, status, quarantine, args)" in mistake("flakes", "update")
    assert mistake("receipt") == (
        "give a verb: issue, check, replay, attach, fetch, show; see `proctor receipt --help`"
    )


def test_an_unknown_option_before_a_verb_is_named_and_not_its_value() -> None:
    assert mistake("log", "--sicne", "prune").startswith("unknown option '--sicne'")
    assert mistake("log", "--lats", "3") == (
        "unknown option '--lats' (did you mean '--last'?); see `proctor log --help`"
    )
    assert mistake("log", "--last", "3", "x").startswith("unknown verb 'x'")


def test_every_verb_has_an_example_of_its_own() -> None:
    checked = 0
    for name, command in parse.commands():
        for action in parse.parser_of(name, command)._actions:
            if isinstance(action, argparse._SubParsersAction):
                for verb, parser in action.choices.items():
                    assert f"example:\n  proctor {name} {verb}" in str(parser.epilog)
                    checked += 1
    assert checked >= 30
