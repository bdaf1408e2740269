"""rspec, minitest, rake, phpunit, Pest; and the interpreters that run them."""

from collections.abc import Callable

import pytest

from proctor.classify.classify import classify_argv
from tests.unit.classify.runners.conftest import Read


@pytest.mark.parametrize(
    ("line", "command_class", "selectors", "narrowing"),
    [
        ("ruby /usr/bin/rspec", "rspec", [], []),
        ("rspec spec/a_spec.rb:3 -fd", "rspec", ["spec/a_spec.rb:3"], []),
        ("rspec -e x --tag ~slow", "rspec", [], ["--example=x", "--tag=~slow"]),
        ("rspec --only-failures --failure-exit-code 0", "rspec", [], ["--only-failures", "--failure-exit-code=0"]),
        ("rspec -P 'a/**' -I lib", "rspec", ["--pattern=a/**"], []),
        ("ruby3.1 -I lib:spec -w /gems/exe/rspec", "rspec", [], []),
        ("ruby /usr/bin/bundle exec rspec spec", "rspec", ["spec"], []),
        ("ruby -Itest test/test_a.rb", "minitest", ["test/test_a.rb"], []),
        ("ruby -I test test/a_test.rb -n /x/", "minitest", ["test/a_test.rb"], ["--name=/x/"]),
        ("ruby -Itest test/a_test.rb -- --name x", "minitest", ["test/a_test.rb"], ["--name=x"]),
        ("ruby /gems/rake/rake_test_loader.rb test/a_test.rb test/b_test.rb", "minitest", ["test/a_test.rb", "test/b_test.rb"], []),
        ("ruby bin/rails test test/models -e test", "minitest", ["test/models"], []),
        ("rails test:models", "minitest", [], ["test:models"]),
        ("rails test:all", "minitest", [], []),
        ("rails test -n x", "minitest", [], ["--name=x"]),
        ("php vendor/bin/phpunit", "phpunit", [], []),
        ("php -d memory_limit=-1 phpunit-10.5.phar --filter x tests", "phpunit", ["tests"], ["--filter=x"]),
        ("phpunit -c phpunit.xml --group a", "phpunit", [], ["--group=a"]),
        ("phpunit -c other.xml --exclude-group a", "phpunit", ["--configuration=other.xml"], ["--exclude-group=a"]),
        ("php -f vendor/bin/paratest -- -p 4", "phpunit", ["-p", "4"], []),
        ("vendor/bin/pest --parallel --shard 1/2", "pest", [], ["--shard=1/2"]),
    ],
)  # fmt: skip
def test_leaves(
    read: Read, line: str, command_class: str, selectors: list[str], narrowing: list[str]
) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == (command_class, "leaf", "test")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    ("line", "command_class", "role", "selectors", "narrowing"),
    [
        ("rake test", "rake", "test", ["test"], []),
        ("ruby /usr/bin/bundle exec rake spec", "rake", "test", ["spec"], []),
        ("rake test TEST=test/a.rb V=1", "rake", "test", ["test"], ["TEST=test/a.rb"]),
        ("rake -f o.rake test", "rake", "test", ["-f=o.rake", "test"], []),
        ("rake", "rake", "other", [], []),
        ("rake build", "rake", "build", ["build"], []),
        ("php artisan test --filter x", "artisan test", "test", [], ["-- --filter", "-- x"]),
    ],
)
def test_drivers(
    read: Read, line: str, command_class: str, role: str, selectors: list[str], narrowing: list[str]
) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == (command_class, "driver", role)
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_ruby_code_that_loads_tests_is_a_run_of_them(read: Read) -> None:
    code = 'Dir.glob("./test/**/*_test.rb") { |f| require f }'
    found = read(f"ruby -Ilib:test -e '{code}' -- -n x")
    assert (found.command_class, found.kind) == ("minitest", "leaf")
    assert found.selectors == (f"-e={code}",)
    assert found.narrowing == ("--name=x",)


@pytest.mark.parametrize(
    "line",
    [
        *("ruby -e 'puts 1'", "ruby -v", "ruby app.rb", "ruby -I lib", "ruby", "ruby x -e y"),
        *("ruby -e", "rails server", "rails", "php -r 'echo 1;'", "php artisan migrate"),
        *("php artisan", "php -S localhost:1", "perl -e 1", "perl -I lib", "ruby --"),
        "ruby /usr/bin/bundle exec",
    ],
)
def test_neighbours_have_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line)


@pytest.mark.parametrize(
    "line",
    [
        *("rspec --dry-run", "rspec --init", "rspec -v", "ruby -Itest test/test_a.rb --help"),
        *("rails test --help", "rake -n test", "rake -T", "rake -T test", "phpunit --list-tests"),
        *("phpunit --version", "phpunit --generate-baseline b.xml", "pest --init"),
    ],
)
def test_what_executes_nothing_is_not_a_run(read: Read, line: str) -> None:
    assert read(line).not_a_run


@pytest.mark.parametrize(
    ("line", "report"),
    [
        ("rspec -f RspecJunitFormatter -o o.xml", ("junit", "o.xml")),
        ("rspec -f d -f RspecJunitFormatter --out o.xml", ("junit", "o.xml")),
        ("rspec -f json --out o.json -f d", ("rspec", "o.json")),
        ("rspec -f d -o o.txt", None),
        ("rspec -f json", None),
        ("phpunit --log-junit o.xml", ("junit", "o.xml")),
        ("pest --log-junit=o.xml", ("junit", "o.xml")),
    ],
)
def test_reports_that_argv_asks_for(read: Read, line: str, report: tuple[str, str] | None) -> None:
    assert read(line).report == report


def test_a_tag_that_is_left_out_only_takes_away(read: Read) -> None:
    assert read("rspec --tag ~slow --tag fast").excluding == ("--tag=~slow",)


def test_rspec_may_run_elsewhere(read: Read) -> None:
    assert read("rspec -X").remote == "the DRb server"


@pytest.mark.parametrize("line", ["phpunit -d --update-snapshots", "pest --update-snapshots"])
def test_expectations_that_are_rewritten(read: Read, line: str) -> None:
    assert read(line).updates == ("--update-snapshots",)


def test_variables_narrow_too(read: Read) -> None:
    assert read("rspec", {"SPEC_OPTS": "-e x -fd"}).narrowing_env == ("SPEC_OPTS: --example=x",)
    assert read("rake test", {"TEST": "a.rb"}).narrowing_env == ("TEST: TEST",)
    assert read("ruby test/test_a.rb", {"TESTOPTS": "-n x"}).narrowing_env == (
        "TESTOPTS: TESTOPTS",
    )
    assert read("ruby test/test_a.rb", {"TESTOPTS": "-v"}).narrowing_env == ()


def test_bundler_is_taken_off_where_only_argv_is_seen() -> None:
    found = classify_argv(["bundle", "exec", "rspec"], peel=True)
    assert found is not None
    assert (found.command_class, found.wrappers) == ("rspec", ("bundle exec",))


def test_a_host_is_named_as_what_it_is(read: Read) -> None:
    assert read("ruby /usr/bin/bundle exec rspec").wrappers == ("bundle exec",)
