"""Which program reads a variable that changes what interpreters run."""

import pytest

from proctor.identity.odd import reads


@pytest.mark.parametrize(
    ("exe", "name"),
    [
        ("/usr/bin/ruby", "RUBYOPT"),
        ("/usr/bin/ruby3.1", "RUBYOPT"),
        ("/usr/bin/perl5.36.0", "PERL5OPT"),
        ("/usr/bin/php8.2", "PHP_INI_SCAN_DIR"),
        ("/usr/bin/node-20", "NODE_OPTIONS"),
        ("/usr/bin/python3.11", "PYTHONSTARTUP"),
        ("/usr/bin/go", "LD_PRELOAD"),
    ],
)
def test_a_version_in_a_programs_name_does_not_hide_what_it_reads(exe: str, name: str) -> None:
    assert reads(exe, (exe, "-x"), name)


@pytest.mark.parametrize("name", ["RUBYOPT", "PYTHONSTARTUP", "PHPRC"])
def test_other_programs_do_not_read_it(name: str) -> None:
    assert not reads("/usr/bin/node", ("node",), name)
