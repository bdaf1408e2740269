import shlex

import pytest

from proctor.classify.classify import classify_argv
from proctor.classify.wrappers import MOST, peel, peel_all


@pytest.mark.parametrize(
    ("line", "wrappers"),
    [
        ("env pytest", ["env"]),
        ("env -i -u X --chdir=y A=1 pytest", ["env"]),
        ("env -C d -- pytest", ["env"]),
        ("env -S 'pytest -q'", ["env"]),
        ("env --split-string='A=1 pytest'", ["env"]),
        ("env '-SA=1 pytest'", ["env"]),
        ("env -S pytest -q", ["env"]),
        ("A=1 B=2 pytest", ["VAR="]),
        ("timeout 60 pytest", ["timeout"]),
        ("timeout -k 5 --signal KILL 60 pytest", ["timeout"]),
        ("timeout --foreground -- 60 pytest", ["timeout"]),
        ("timeout 60 -- pytest", ["timeout"]),
        ("nice -n 5 pytest", ["nice"]),
        ("nice -5 nohup stdbuf -oL pytest", ["nice", "nohup", "stdbuf"]),
        ("time -p pytest", ["time"]),
        ("/usr/bin/time -f %e pytest", ["time"]),
        ("setsid -w pytest", ["setsid"]),
        ("xvfb-run -a -s '-screen 0' pytest", ["xvfb-run"]),
        ("sudo -u nobody -E A=1 pytest", ["sudo"]),
        ("uv run pytest", ["uv run"]),
        ("uv --project x run --with a --with b -p 3.12 pytest", ["uv run"]),
        ("uv run -m pytest", ["uv run"]),
        ("uv run -- pytest", ["uv run"]),
        ("uv run --frozen python -m pytest", ["uv run"]),
        ("uvx --from x pytest@8", ["uvx"]),
        ("uvx pytest==8.0", ["uvx"]),
        ("poetry run pytest", ["poetry run"]),
        ("pipenv run pytest", ["pipenv run"]),
        ("hatch -e x run dev:pytest", ["hatch run"]),
        ("pdm run pytest", ["pdm run"]),
        ("rye run pytest", ["rye run"]),
        ("pixi run -e x pytest", ["pixi run"]),
        ("conda run -n x --no-capture-output pytest", ["conda run"]),
        ("python -m poetry run pytest", ["poetry run"]),
        ("bundle exec pytest", ["bundle exec"]),
        ("docker run --rm -v a:b -w /src img:1 pytest", ["docker run"]),
        ("docker run --entrypoint pytest img -q", ["docker run"]),
        ("docker run --entrypoint=pytest img -q", ["docker run"]),
        ("docker exec -it -e A=1 box pytest", ["docker exec"]),
        ("podman exec box pytest", ["podman exec"]),
        ("docker compose -f x.yml run --rm web pytest", ["docker compose run"]),
        ("docker-compose exec web pytest", ["docker-compose exec"]),
        ("kubectl -n x exec pod -c y -- pytest", ["kubectl exec"]),
        ("xargs -n 1 pytest", ["xargs"]),
        ("find . -name x -exec pytest {} ;", ["find -exec"]),
        ("rtk pytest", ["rtk"]),
        ("mise exec node@20 -- pytest", ["mise exec"]),
        ("mise x -- pytest", ["mise x"]),
        ("proctor run --log x -- pytest", ["proctor run"]),
        ("direnv exec . pytest", ["direnv exec"]),
        ("flock /tmp/x pytest", ["flock"]),
        ("command pytest", ["command"]),
        ("exec -a name pytest", ["exec"]),
        ("coverage run -m pytest", ["coverage run"]),
        ("uv run coverage run -m pytest", ["uv run", "coverage run"]),
        ("bash -c 'pytest -q'", ["bash -c"]),
        ("bash -lc 'cd x && pytest'", ["bash -c"]),
        ("bash --noprofile -eo pipefail -c pytest", ["bash -c"]),
        ("sudo bash -c 'env A=1 pytest'", ["sudo", "bash -c", "env"]),
        ("sh -c -- pytest", ["sh -c"]),
        ("su -c 'pytest -q' nobody", ["su -c"]),
        ("script -qec 'pytest' /dev/null", ["script -c"]),
        ("ssh -p 22 host pytest -q", ["ssh"]),
        ("flock x -c 'pytest -q'", ["flock"]),
    ],
)
def test_wrappers_are_taken_off_by_tokens(line: str, wrappers: list[str]) -> None:
    found = classify_argv(shlex.split(line), peel=True)
    assert found is not None, line
    assert (found.command_class, list(found.wrappers)) == ("pytest", wrappers)


@pytest.mark.parametrize(
    ("line", "wrappers"),
    [
        ("npx jest", ["npx"]),
        ("npx -y -p jest@29 jest", ["npx"]),
        ("npx --yes jest@29.1 -t x", ["npx"]),
        ("npx -c 'jest -t x'", ["npx"]),
        ("npx --call='jest'", ["npx"]),
        ("npx jest -c x.js", ["npx"]),
        ("node /x/npm/bin/npx-cli.js jest", ["npx"]),
        ("npm exec -- jest", ["npm exec"]),
        ("npm exec -c 'jest'", ["npm exec"]),
        ("pnpm exec jest", ["pnpm exec"]),
        ("pnpm dlx jest@29", ["pnpm dlx"]),
        ("pnpm --filter web jest", ["pnpm"]),
        ("yarn jest", ["yarn"]),
        ("yarn run jest", ["yarn run"]),
        ("yarn workspace web exec jest", ["yarn exec"]),
        ("bunx jest", ["bunx"]),
        ("bun x jest", ["bun x"]),
        ("corepack pnpm exec jest", ["corepack", "pnpm exec"]),
    ],
)
def test_wrappers_of_node(line: str, wrappers: list[str]) -> None:
    found = classify_argv(shlex.split(line), peel=True)
    assert found is not None, line
    assert (found.command_class, list(found.wrappers)) == ("jest", wrappers)


@pytest.mark.parametrize(
    "line",
    [
        "gitfoo pytest",
        "environ pytest",
        "uv pip install pytest",
        "docker ps",
        "docker run img ls",
        "command -v pytest",
        "env",
        "env A=1",
        "A=1",
        "find . -name pytest",
        "find . -exec ls ;",
        "mise exec pytest",
        "ssh host",
        "ssh",
        "su nobody",
        "script x",
        "bash x.sh",
        "bash",
        "sh -c",
        "timeout 60",
        "xargs",
        "poetry add pytest",
        "npx",
        "pnpm",
        "pnpm exec",
        "find . -exec",
        "docker run",
        "kubectl exec pod pytest",
        "sudo",
        "bash -x",
        "flock -c",
        "npm exec",
        "yarn run",
    ],
)
def test_what_wraps_no_test_has_no_test_class(line: str) -> None:
    found = classify_argv(shlex.split(line), peel=True)
    assert found is None or found.role != "test"


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("env pytest", "own"),
        ("xargs pytest", "altered"),
        ("find . -exec pytest {} +", "altered"),
        ("find . -exec pytest {} ;", "masked"),
        ("docker run -d img pytest", "masked"),
        ("docker run --detach img pytest", "masked"),
        ("docker run -it img pytest", "own"),
        ("setsid pytest", "unknown"),
        ("setsid -f pytest", "masked"),
        ("setsid --wait pytest", "own"),
        ("script -c pytest x", "masked"),
        ("script -ec pytest x", "own"),
    ],
)
def test_what_a_wrapper_makes_of_the_exit_code(line: str, status: str) -> None:
    layer = peel(shlex.split(line))
    assert layer is not None
    assert layer.status == status


@pytest.mark.parametrize(
    "line", ["docker run img pytest", "ssh host pytest", "kubectl exec p -- pytest"]
)
def test_a_client_runs_tests_elsewhere(line: str) -> None:
    found = classify_argv(shlex.split(line), peel=True)
    assert found is not None
    assert found.remote == line.split(maxsplit=1)[0]


def test_no_tower_of_wrappers_is_followed_for_ever() -> None:
    assert len(peel_all(["env"] * 100 + ["pytest"])) == MOST
    assert peel([]) is None
    assert peel(["true"]) is None


def test_one_process_image_is_not_peeled() -> None:
    assert classify_argv(["env", "pytest"], peel=False) is None
    assert classify_argv(["bash", "-c", "pytest"], peel=False) is None
    assert classify_argv(["uv", "run", "pytest"], peel=False) is None


def test_a_wrapper_may_narrow_by_the_environment() -> None:
    found = classify_argv(["env", "PYTEST_ADDOPTS=-k x", "pytest"], peel=True, environ={})
    assert found is not None
    assert found.narrowing_env == ("PYTEST_ADDOPTS: -k=x",)


def test_what_a_wrapper_starts_may_have_no_class_and_itself_one() -> None:
    found = classify_argv(["timeout", "9", "pnpm", "lint"], peel=True)
    assert found is not None
    assert (found.command_class, found.role, found.wrappers) == ("pnpm run", "lint", ("timeout",))


def test_a_script_run_by_uv_is_a_python_script() -> None:
    found = classify_argv(["uv", "run", "manage.py", "test"], peel=True)
    assert found is not None
    assert (found.command_class, found.argv[0]) == ("django test", "python")
