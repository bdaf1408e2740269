"""What programs are: real environments, real impostors."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor._digest import encode
from proctor.identity.distribution import distributions_in
from proctor.identity.identify import DISTRIBUTIONS, identify
from proctor.records.span import Runner

OURS = Path(sys.executable)
REAL = os.path.realpath(OURS)
SITE = Path(pytest.__file__).parent.parent
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"
PIP_SCRIPT = """#!{python}
# -*- coding: utf-8 -*-
import re
import sys
from pytest import console_main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(console_main())
"""
UV_SCRIPT = """#!{python}
import sys
from pytest import console_main
if __name__ == "__main__":
    if sys.argv[0].endswith("-script.pyw"):
        sys.argv[0] = sys.argv[0][:-11]
    elif sys.argv[0].endswith(".exe"):
        sys.argv[0] = sys.argv[0][:-4]
    sys.exit(console_main())
"""
FAKE = "#!{python}\nprint('5 passed in 0.1s')\n"


def look(
    argv: list[str], cwd: Path, exe: str | None = None, **environ: str
) -> dict[str, Any] | None:
    return identify(argv, exe, str(cwd), {"PATH": f"{OURS.parent}:/usr/bin:/bin", **environ})


def name(found: dict[str, Any] | None) -> str | None:
    assert found is not None
    result: str | None = found["distribution"]
    return result


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.format(python=OURS) if text.startswith("#!") else text)
    path.chmod(0o755)
    return path


@pytest.fixture
def make_venv(tmp_path: Path) -> Callable[..., Path]:
    """Make a virtual environment that holds a copy of the installed pytest."""

    def make(where: str = ".venv", *, copies: bool = True, **_: Any) -> Path:
        prefix = tmp_path / where
        subprocess.run([REAL, "-m", "venv", "--without-pip", str(prefix)], check=True)
        site = prefix / "lib" / f"python{VERSION}" / "site-packages"
        if copies:
            for pattern in ("pytest*", "_pytest", "pluggy*", "iniconfig*", "py.py"):
                for item in SITE.glob(pattern):
                    if item.name.startswith(("pytest_", "pytest-xdist")):
                        continue
                    if item.is_dir():
                        shutil.copytree(item, site / item.name)
                    else:
                        shutil.copy(item, site / item.name)
        return prefix

    return make


def site_of(prefix: Path) -> Path:
    return prefix / "lib" / f"python{VERSION}" / "site-packages"


@pytest.mark.parametrize(
    ("argv", "exe"),
    [
        ([str(OURS), "-m", "pytest", "-q"], None),
        ([str(OURS), "-m", "pytest", "-q"], REAL),
        ([str(OURS), "-Im", "pytest"], REAL),
        ([str(OURS), "-I", "-W", "error", "-X", "dev", "-Wignore", "-mpytest"], REAL),
        ([str(OURS), "--check-hash-based-pycs", "always", "-m", "pytest"], REAL),
        ([str(OURS), "--some-option", "-m", "pytest"], REAL),
        (["python", "-m", "pytest"], REAL),
        ([str(OURS), str(OURS.parent / "pytest"), "-q"], REAL),
        (["pytest", "-q"], None),
        ([str(OURS.parent / "pytest")], str(OURS.parent / "pytest")),
        ([str(OURS), "-m", "coverage", "run", "--branch", "-m", "pytest"], REAL),
        ([str(OURS), str(OURS.parent / "coverage"), "run", str(OURS.parent / "pytest")], REAL),
        ([str(OURS), "-m", "coverage", "run", "--rcfile", "x", "-m", "pytest"], REAL),
    ],
)
def test_the_installed_runner_is_itself_however_it_is_called(
    tmp_path: Path, argv: list[str], exe: str | None
) -> None:
    found = look(argv, tmp_path, exe)
    assert found is not None
    assert (found["distribution"], found["version"]) == ("pytest", pytest.__version__)
    assert (found["record_ok"], found["altered"], found["editable"]) == (True, [], False)
    assert found["path"].startswith(str(SITE))


def test_the_answer_is_the_fields_of_a_record(tmp_path: Path) -> None:
    found = look(["pytest"], tmp_path)
    assert found is not None
    msgspec.json.decode(encode(found), type=Runner, strict=True)
    assert set(found) == {field.name for field in msgspec.structs.fields(Runner)}


def test_the_standard_librarys_runner_is_python(tmp_path: Path) -> None:
    found = look([str(OURS), "-m", "unittest"], tmp_path, REAL)
    assert name(found) in DISTRIBUTIONS["unittest"]
    assert found is not None
    assert found["version"] == VERSION


@pytest.mark.parametrize(
    "argv", [["python", "-c", "1"], ["python"], ["python", "-"], ["python", "-V"], []]
)
def test_what_runs_no_file_is_unknown(tmp_path: Path, argv: list[str]) -> None:
    assert look(argv, tmp_path) is None


def test_a_module_that_is_not_installed_is_unknown(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix = make_venv(copies=False)
    assert look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL) is None


@pytest.mark.parametrize("script", [PIP_SCRIPT, UV_SCRIPT])
@pytest.mark.parametrize("where", [".venv", "deep/node/env"])
def test_an_environment_within_the_project_is_honest(
    tmp_path: Path, make_venv: Callable[..., Path], script: str, where: str
) -> None:
    prefix = make_venv(where)
    path = write(prefix / "bin/pytest", script)
    for argv in ([str(prefix / "bin/python"), str(path)], [f"{where}/bin/python", "-m", "pytest"]):
        found = look(argv, tmp_path, REAL)
        assert name(found) == "pytest"
        assert found is not None
        assert found["record_ok"] is True, found["altered"]


def test_a_link_to_a_script_is_what_it_leads_to(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix = make_venv("tool")
    write(prefix / "bin/pytest", PIP_SCRIPT.replace("{python}", str(prefix / "bin/python")))
    (tmp_path / "pytest").symlink_to(prefix / "bin/pytest")
    assert name(look(["./pytest"], tmp_path)) == "pytest"


@pytest.mark.parametrize(
    "text",
    [
        FAKE,
        "#!{python}\nimport sys\nprint('5 passed')\nsys.exit(0)\n",
        "#!{python}\nimport sys\nfrom pytest import console_main\nprint(5)\nsys.exit(0)\n",
        "#!{python}\nimport sys\nfrom pytest import console_main\nsys.exit(0)\n",
        "#!{python}\nimport sys, subprocess\nfrom pytest import console_main\nsys.exit(console_main())\n",
        "#!{python}\nfrom fake import a\nfrom pytest import console_main\nconsole_main()\n",
        "#!{python}\nfrom pytest import console_main\ndef console_main(): return 0\nconsole_main()\n",
        "#!{python}\nnot python at all ((\n",
        "#!/bin/sh\necho '5 passed in 0.1s'\n",
        "#!/usr/bin/env bash\necho '5 passed'\n",
        "#!/usr/bin/perl\nprint 5\n",
        "5 passed",
    ],
)
def test_a_script_with_a_runners_name_is_not_the_runner(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "bin/pytest", text)
    found = look(["pytest", "-q"], tmp_path, PATH=f"{tmp_path}/bin:{OURS.parent}")
    assert name(found) is None
    assert found is not None
    assert found["path"] == str(path)


@pytest.mark.parametrize(
    "start", [["/bin/sh"], ["/bin/bash", "-e"], [str(OURS)], [str(OURS), "-u"]]
)
def test_nor_is_it_where_its_interpreter_stands_before_it(tmp_path: Path, start: list[str]) -> None:
    path = write(tmp_path / ".venv/bin/pytest", FAKE)
    assert name(look([*start, str(path)], tmp_path, os.path.realpath(start[0]))) is None


def test_a_module_in_the_folder_is_not_the_installed_one(tmp_path: Path) -> None:
    write(tmp_path / "pytest.py", "print('5 passed')\n")
    found = look([str(OURS), "-m", "pytest"], tmp_path, REAL)
    assert name(found) is None
    assert found is not None
    assert found["path"] == str(tmp_path / "pytest.py")
    for flags in (["-I", "-m"], ["-Pm"]):
        assert name(look([str(OURS), *flags, "pytest"], tmp_path, REAL)) == "pytest"


def test_a_module_of_the_standard_library_can_be_stood_in_for_too(tmp_path: Path) -> None:
    write(tmp_path / "unittest/__init__.py", "")
    assert name(look([str(OURS), "-m", "unittest"], tmp_path, REAL)) is None


@pytest.mark.parametrize("module", ["pluggy", "_pytest"])
def test_a_stand_in_for_what_the_runner_is_made_of_is_an_alteration(
    tmp_path: Path, module: str
) -> None:
    write(tmp_path / module / "__init__.py", "")
    found = look([str(OURS), "-m", "pytest"], tmp_path, REAL)
    assert found is not None
    assert found["record_ok"] is False
    assert found["altered"] == [str(tmp_path / module / "__init__.py")]


def test_a_module_on_pythonpath_comes_first_unless_it_is_shut_out(tmp_path: Path) -> None:
    write(tmp_path / "x/pytest/__init__.py", "")
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    argv = [str(OURS), "-m", "pytest"]
    assert name(look(argv, cwd, REAL, PYTHONPATH="../x")) is None
    assert name(look(argv, cwd, REAL, PYTHONPATH=":/nonexistent:some.whl")) == "pytest"
    assert name(look([str(OURS), "-E", "-m", "pytest"], cwd, REAL, PYTHONPATH="../x")) == "pytest"
    assert name(look([str(OURS), "-I", "-m", "pytest"], cwd, REAL, PYTHONPATH="../x")) == "pytest"


def test_the_folder_is_left_out_on_request(tmp_path: Path) -> None:
    write(tmp_path / "pytest.py", "")
    assert name(look(["python", "-m", "pytest"], tmp_path, REAL, PYTHONSAFEPATH="1")) == "pytest"


def test_an_executable_that_only_claims_a_name_is_itself(tmp_path: Path) -> None:
    true = os.path.realpath("/bin/true")
    found = look(["pytest", "-q"], tmp_path, true)
    assert (name(found), found and found["path"]) == (None, true)
    assert name(look([str(OURS), "-m", "pytest"], tmp_path, true)) is None


def test_an_executable_called_python_that_has_no_library_is_none(tmp_path: Path) -> None:
    shutil.copy("/bin/true", tmp_path / "python3")
    found = look([f"{tmp_path}/python3", "-m", "pytest"], tmp_path, f"{tmp_path}/python3")
    assert name(found) is None
    assert found is not None
    assert found["path"] == f"{tmp_path}/python3"


@pytest.mark.parametrize("part", ["pytest/__init__.py", "_pytest/runner.py", "pluggy/_callers.py"])
def test_an_edited_file_of_the_runner_is_named(
    tmp_path: Path, make_venv: Callable[..., Path], part: str
) -> None:
    prefix = make_venv()
    with (site_of(prefix) / part).open("a") as file:
        file.write("\n# edited\n")
    found = look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL)
    assert found is not None
    assert (found["distribution"], found["record_ok"]) == ("pytest", False)
    assert found["altered"] == [part]


def test_a_removed_file_of_the_runner_is_named(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix = make_venv()
    (site_of(prefix) / "_pytest/skipping.py").unlink()
    found = look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL)
    assert found is not None
    assert found["altered"] == ["_pytest/skipping.py"]


def test_many_altered_files_are_capped(tmp_path: Path, make_venv: Callable[..., Path]) -> None:
    prefix = make_venv()
    for path in (site_of(prefix) / "_pytest").glob("*.py"):
        path.write_text("")
    found = look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL)
    assert found is not None
    assert len(found["altered"]) == 10


def without_record(prefix: Path) -> None:
    (info,) = site_of(prefix).glob("pytest-*.dist-info")
    (info / "RECORD").unlink()


def test_a_distribution_without_record_cannot_be_checked(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix = make_venv()
    without_record(prefix)
    found = look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL)
    assert found is not None
    assert (found["distribution"], found["record_ok"]) == ("pytest", None)


def editable(prefix: Path, source: Path, lines: str) -> None:
    site = site_of(prefix)
    info = site / "pytest-99.0.dist-info"
    write(info / "METADATA", "Name: pytest\nVersion: 99.0\n")
    write(info / "RECORD", "__editable__.pytest.pth,,\npytest-99.0.dist-info/RECORD,,\n")
    url = {"url": source.as_uri(), "dir_info": {"editable": True}}
    write(info / "direct_url.json", json.dumps(url))
    write(site / "__editable__.pytest.pth", lines)


def test_an_editable_install_of_the_runner_is_the_runner(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix, source = make_venv(copies=False), tmp_path / "py test"
    write(source / "src/pytest/__init__.py", "")
    write(source / "src/_pytest/__init__.py", "")
    editable(prefix, source, f"# a comment\n\n{source}/src\n")
    found = look([str(prefix / "bin/python"), "-m", "pytest"], source, REAL)
    assert found is not None
    assert (found["distribution"], found["version"]) == ("pytest", "99.0")
    assert (found["editable"], found["record_ok"]) == (True, None)


def test_an_editable_install_by_a_map_is_the_runner(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix, source = make_venv(copies=False), tmp_path / "source"
    write(source / "lib/pytest/__init__.py", "")
    editable(
        prefix, source, "import __editable___pytest_finder; __editable___pytest_finder.install()\n"
    )
    finder = site_of(prefix) / "__editable___pytest_finder.py"
    write(
        finder,
        f"MAPPING: dict[str, str] = {{'pytest': '{source}/lib/pytest'}}\nNAMESPACES = {{}}\n",
    )
    argv = [str(prefix / "bin/python"), "-m", "pytest"]
    found = look(argv, tmp_path, REAL)
    assert found is not None
    assert (found["distribution"], found["editable"]) == ("pytest", True)
    for damage in ("", "MAPPING = {'a': f()}\n", "MAPPING = {'a'}\n"):
        write(finder, damage)
        assert look(argv, tmp_path, REAL) is None


def test_an_editable_install_of_another_folder_owns_nothing_here(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix = make_venv(copies=False)
    editable(prefix, tmp_path / "elsewhere", "")
    write(tmp_path / "pytest.py", "")
    assert name(look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL)) is None


@pytest.mark.parametrize(
    "damage",
    [
        "not json",
        "[]",
        "{}",
        '{"dir_info": {}}',
        "",
        '{"dir_info": {"editable": true}, "url": "https://x/y"}',
    ],
)
def test_damaged_metadata_is_none(
    tmp_path: Path, make_venv: Callable[..., Path], damage: str
) -> None:
    prefix = make_venv(copies=False)
    editable(prefix, tmp_path, "")
    (info,) = site_of(prefix).glob("pytest-*.dist-info")
    write(info / "direct_url.json", damage)
    write(tmp_path / "pytest.py", "")
    assert name(look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL)) is None


def test_a_record_that_cannot_be_read_owns_nothing(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix = make_venv()
    (info,) = site_of(prefix).glob("pytest-*.dist-info")
    (info / "RECORD").write_bytes(b'"' + b"x" * 200000)
    found = look([str(prefix / "bin/python"), "-m", "pytest"], tmp_path, REAL)
    assert found is not None
    assert found["record_ok"] is None


def test_an_environment_may_see_its_interpreters_packages(
    tmp_path: Path, make_venv: Callable[..., Path]
) -> None:
    prefix = make_venv(copies=False)
    write(tmp_path / "user" / "lib" / f"python{VERSION}" / "site-packages/pytest/__init__.py", "")
    config = prefix / "pyvenv.cfg"
    config.write_text(config.read_text().replace("packages = false", "packages = true"))
    argv = [str(prefix / "bin/python"), "-m", "pytest"]
    user = {"PYTHONUSERBASE": str(tmp_path / "user")}
    assert name(look(argv, tmp_path, REAL, **user)) is None
    for flags in ("-s", "-I", "-S"):
        seen = look([argv[0], flags, *argv[1:]], tmp_path, REAL, **user)
        assert seen is None or not str(seen["path"]).startswith(str(tmp_path / "user"))


def test_pythonhome_moves_the_library(tmp_path: Path) -> None:
    write(tmp_path / "home" / "lib" / f"python{VERSION}" / "os.py", "")
    argv = [str(OURS), "-m", "pytest"]
    assert look(argv, tmp_path, REAL, PYTHONHOME=str(tmp_path / "home")) is None


SHIMS = [
    '#!/usr/bin/env bash\nset -e\nexport PYENV_ROOT="/x"\nexec "/x/libexec/pyenv" exec "$program" "$@"\n',
    '#!/usr/bin/env bash\n# asdf-plugin: python 3.12\nexec /x/asdf exec "pytest" "$@"\n',
    '#!/bin/sh\nexec mise x -- pytest "$@"\n',
]


@pytest.mark.parametrize("shim", SHIMS)
def test_a_version_managers_shim_is_unknown_until_it_has_handed_over(
    tmp_path: Path, shim: str
) -> None:
    for program in ("pytest", "python"):
        path = write(tmp_path / program, shim)
        assert look([f"./{program}", "-m", "pytest"], tmp_path) is None
        assert look(["/bin/sh", str(path), "-q"], tmp_path, os.path.realpath("/bin/sh")) is None


def test_pips_form_for_long_paths_is_understood(tmp_path: Path) -> None:
    head = f"#!/bin/sh\n'''exec' \"{OURS}\" \"$0\" \"$@\"\n' '''\n"
    (tmp_path / "pytest").write_text(head + PIP_SCRIPT.partition("\n")[2])
    (tmp_path / "pytest").chmod(0o755)
    assert name(look(["./pytest"], tmp_path)) == "pytest"
    write(tmp_path / "other", "#!/bin/sh\n'''exec' nothing\n")
    assert name(look(["./other"], tmp_path)) is None


@pytest.mark.parametrize(
    "line", ["#!/usr/bin/env python", "#!/usr/bin/env -S python -u", "#!/usr/bin/env X=1 python"]
)
def test_a_first_line_by_env_is_followed(tmp_path: Path, line: str) -> None:
    (tmp_path / "pytest").write_text(f"{line}\n" + PIP_SCRIPT.partition("\n")[2])
    (tmp_path / "pytest").chmod(0o755)
    assert name(look(["./pytest"], tmp_path)) == "pytest"


@pytest.mark.parametrize(
    "line", ["#!", "#!/usr/bin/env", "#!/usr/bin/env -S", "#!/usr/bin/env nope"]
)
def test_a_first_line_that_leads_nowhere_is_no_runner(tmp_path: Path, line: str) -> None:
    (tmp_path / "pytest").write_text(f"{line}\n")
    (tmp_path / "pytest").chmod(0o755)
    assert name(look(["./pytest"], tmp_path)) is None


def test_a_name_that_is_nowhere_is_no_runner(tmp_path: Path) -> None:
    assert name(look(["pytest"], tmp_path, PATH="/nonexistent")) is None
    assert name(look(["./pytest"], tmp_path)) is None
    assert name(identify(["./pytest"], None, str(tmp_path), None)) is None
    assert name(look(["sh", "-c"], tmp_path)) is None


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    folder = tmp_path / "node_modules"
    write(folder / "jest/package.json", '{"name": "jest", "version": "29.7.0"}')
    write(folder / "jest/bin/jest.js", "#!/usr/bin/env node\n")
    write(folder / "vitest/package.json", '{"name": "vitest", "version": "3.0.0"}')
    write(folder / "vitest/dist/package.json", '{"type": "module"}')
    write(folder / "vitest/dist/cli.mjs", "#!/usr/bin/env node\n")
    write(tmp_path / "package.json", '{"name": "my-app", "version": "1.0.0"}')
    (folder / ".bin").mkdir()
    (folder / ".bin/jest").symlink_to("../jest/bin/jest.js")
    (folder / ".bin/vitest").symlink_to("../vitest/dist/cli.mjs")
    return folder


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["node_modules/.bin/jest", "--ci"], ("jest", "29.7.0")),
        (["node_modules/jest/bin/jest.js"], ("jest", "29.7.0")),
        (["node_modules/jest/bin/jest"], ("jest", "29.7.0")),
        (
            ["--max-old-space-size=4096", "-r", "./x.js", "node_modules/.bin/jest"],
            ("jest", "29.7.0"),
        ),
        (["--", "node_modules/.bin/vitest"], ("vitest", "3.0.0")),
        (["--test"], ("node", None)),
        (["--test", "a.test.js"], ("node", None)),
        (["fake.js"], ("my-app", "1.0.0")),
    ],
)
@pytest.mark.usefixtures("modules")
def test_a_script_for_node_is_the_package_it_leads_to(
    tmp_path: Path, words: list[str], expected: tuple[str | None, str | None]
) -> None:
    write(tmp_path / "fake.js", "")
    found = look(["/usr/bin/node", *words], tmp_path, "/usr/bin/node")
    assert found is not None
    assert (found["distribution"], found["version"]) == expected


@pytest.mark.parametrize(
    ("written", "module", "expected"),
    [
        ("#!/usr/bin/node\nshim()\n", "/node_modules/spawn-wrap/index.js", "jest"),
        ("#!/usr/bin/node\nconsole.log('5 passed')\n", "/node_modules/spawn-wrap/index.js", None),
        ("#!/usr/bin/node\nshim()\n", "/node_modules/other/index.js", None),
        ("#!/usr/bin/node\nshim()\n", "/absent/index.js", None),
    ],
)
@pytest.mark.usefixtures("modules")
def test_behind_the_node_that_nyc_puts_first_is_the_script_it_is_given(
    tmp_path: Path, written: str, module: str, expected: str | None
) -> None:
    for package in ("spawn-wrap", "other"):
        write(tmp_path / f"node_modules/{package}/package.json", f'{{"name": "{package}"}}')
        write(tmp_path / f"node_modules/{package}/shim.js", "shim()\n")
    home = tmp_path / "home" / ".node-spawn-wrap-7-ab"
    write(home / "node", written)
    write(home / "settings.json", f'{{"module": "{tmp_path}{module}"}}')
    found = look(["node", f"{home}/node", "node_modules/.bin/jest"], tmp_path, "/usr/bin/node")
    assert (name(found) == "jest") is (expected == "jest")


@pytest.mark.parametrize(
    "words", [["-e", "0"], ["--eval", "0"], ["-p", "1"], ["--version"], ["--"], ["in-zip.js"]]
)
def test_node_without_a_script_is_unknown(tmp_path: Path, words: list[str]) -> None:
    assert look(["/usr/bin/node", *words], tmp_path, "/usr/bin/node") is None


def test_a_fake_in_the_bin_folder_is_not_the_package(tmp_path: Path, modules: Path) -> None:
    (modules / ".bin/jest").unlink()
    write(modules / ".bin/jest", "#!/usr/bin/env node\nconsole.log('5 passed')\n")
    found = look(["node", "node_modules/.bin/jest"], tmp_path, "/usr/bin/node")
    assert name(found) not in DISTRIBUTIONS["jest"]


def test_a_package_without_a_name_is_none(tmp_path: Path) -> None:
    for text in ("{}", "not json", '{"name": 5}', '{"name": "x", "version": 5}'):
        write(tmp_path / "node_modules/p/package.json", text)
        write(tmp_path / "node_modules/p/cli.js", "")
        found = look(["node", "node_modules/p/cli.js"], tmp_path, "/usr/bin/node")
        assert name(found) == ("x" if '"x"' in text else None)


def test_a_script_on_the_path_is_looked_up_by_its_first_line(tmp_path: Path, modules: Path) -> None:
    write(tmp_path / "bin/node", "binary\n")
    path = f"{tmp_path}/bin:{modules}/.bin"
    assert name(look(["jest", "--ci"], tmp_path, PATH=path)) == "jest"


def test_another_program_is_named_by_its_path_only(tmp_path: Path) -> None:
    shutil.copy("/bin/true", tmp_path / "pkg.test")
    found = look(["./pkg.test", "-test.v"], tmp_path, str(tmp_path / "pkg.test"))
    assert (name(found), found and found["path"]) == (None, str(tmp_path / "pkg.test"))


def test_coverage_with_nothing_to_run_is_unknown(tmp_path: Path) -> None:
    assert look([str(OURS), "-m", "coverage", "run", "--branch"], tmp_path, REAL) is None
    assert name(look([str(OURS), "-m", "coverage", "report"], tmp_path, REAL)) == "coverage"


def test_an_interpreters_version_is_that_of_its_library(tmp_path: Path) -> None:
    write(tmp_path / "bin/python", "binary")
    write(tmp_path / "lib/python3.99/os.py", "")
    write(tmp_path / "lib/other/x", "")
    argv = [f"{tmp_path}/bin/python", "-m", "unittest"]
    assert look(argv, tmp_path / "bin") is None
    write(tmp_path / "lib/python3.99/unittest.py", "")
    found = look(argv, tmp_path / "bin")
    assert found is not None
    assert (found["distribution"], found["version"]) == ("python", "3.99")


def test_a_folder_that_is_gone_holds_no_distributions(tmp_path: Path) -> None:
    assert list(distributions_in(str(tmp_path / "absent"))) == []


def test_an_interpreter_without_any_library_is_none(tmp_path: Path) -> None:
    write(tmp_path / "bin/python", "binary")
    argv = [f"{tmp_path}/bin/python", "-m", "unittest"]
    assert name(look(argv, tmp_path / "bin")) is None
    (tmp_path / "lib").mkdir()
    assert name(look(argv, tmp_path / "bin")) is None
