"""A runner of GitHub workflows, as far as our own files need one: each job on a machine of its own.

Steps run as the service runs them: `bash -eo pipefail` on a file, variables and command files as
documented, expressions put in before. Checkout and artifacts are git and a folder.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.cheats.stage import GIT_ENV

PROJECT = Path(__file__).parents[2]
VENV = Path(sys.prefix)
ACTION = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))
_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")


@dataclass
class Done:
    """A job that has ended."""

    result: str
    output: str = ""
    """What the steps printed, the installation aside."""
    summary: str = ""


@dataclass
class Service:
    """The service: one repository, and what its jobs hand on."""

    folder: Path
    server: Path
    event: dict[str, Any] = field(default_factory=dict)
    really_installs: str = ""
    """The job in which the action installs Proctor; in others the tests' own is linked."""
    depth: int = 0
    """Of the checkout; 0 is all."""

    def run(
        self, workflow: dict[str, Any], commit: str, skip: tuple[str, ...] = ()
    ) -> dict[str, Done]:
        """Run the jobs of a workflow in their order; those of `skip` are cancelled."""
        done: dict[str, Done] = {}
        for name, job in workflow["jobs"].items():
            needed = (
                [done[one].result for one in [job["needs"]] if "needs" in job]
                if "needs" in job
                else []
            )
            if name in skip or (set(needed) - {"success"} and job.get("if") != "always()"):
                done[name] = Done("cancelled")
            else:
                done[name] = Job(self, name, commit).run(job["steps"])
        return done

    @property
    def artifacts(self) -> Path:
        """Where they lie, a folder each."""
        return self.folder / "artifacts"


class Job:
    """One job on a machine that has nothing of any other."""

    def __init__(self, service: Service, name: str, commit: str) -> None:
        self.service = service
        self.name = name
        self.commit = commit
        # NOTE: as different as two services' machines: nothing may rest on the path.
        self.machine = service.folder / f"machine-{name}"
        shutil.rmtree(self.machine, ignore_errors=True)
        self.workspace = self.machine / name / "app"
        self.temp = self.machine / "temp"
        for folder in (self.machine / "home", self.workspace, self.temp):
            folder.mkdir(parents=True)
        event = self.machine / "event.json"
        event.write_text(json.dumps(service.event))
        self.path = [str(VENV / "bin"), "/usr/local/bin", "/usr/bin", "/bin"]
        self.outputs: dict[str, dict[str, str]] = {}
        self.summary = ""
        self.printed: list[str] = []
        request = service.event["pull_request"]
        self.env = {
            **GIT_ENV,
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_SHA": commit,
            "GITHUB_BASE_REF": request["base"]["ref"],
            "GITHUB_HEAD_REF": request["head"]["ref"],
            "GITHUB_ACTION_PATH": str(PROJECT),
            "RUNNER_TEMP": str(self.temp),
            "HOME": str(self.machine / "home"),
            "LANG": "C.UTF-8",
        }

    def run(self, steps: list[dict[str, Any]]) -> Done:
        """Run the steps until one fails."""
        ok = all(self._step(step, {}) for step in steps)
        return Done("success" if ok else "failure", "".join(self.printed), self.summary)

    def _step(self, step: dict[str, Any], inputs: dict[str, str]) -> bool:
        if "if" in step and not self._holds(step["if"], inputs):
            return True
        if "run" in step:
            ok = self._shell(step, inputs)
        else:
            given = {k: self._put_in(str(v), inputs) for k, v in step.get("with", {}).items()}
            ok = self._use(step["uses"].partition("@")[0], given)
        return ok or step.get("continue-on-error") is True

    def _use(self, action: str, given: dict[str, str]) -> bool:
        known: dict[str, Callable[[dict[str, str]], bool]] = {
            "actions/checkout": self._checkout,
            "actions/upload-artifact": self._upload,
            "actions/download-artifact": self._download,
            "OWNER/proctor": self._proctor,
        }
        return known[action](given)

    def _proctor(self, given: dict[str, str]) -> bool:
        assert set(given) <= set(ACTION["inputs"])
        inputs = {k: given.get(k, one.get("default", "")) for k, one in ACTION["inputs"].items()}
        return all(self._step(step, inputs) for step in ACTION["runs"]["steps"])

    def _checkout(self, given: dict[str, str]) -> bool:
        assert given["persist-credentials"] == "False"
        depth = [f"--depth={self.service.depth}"] if self.service.depth else []
        for words in (
            ["init", "-q"],
            ["remote", "add", "origin", f"file://{self.service.server}"],
            ["fetch", "-q", *depth, "origin", "+refs/heads/*:refs/remotes/origin/*", self.commit],
            ["checkout", "-q", "--detach", self.commit],
        ):
            subprocess.run(["git", *words], cwd=self.workspace, env=self._environment(), check=True)
        return True

    def _upload(self, given: dict[str, str]) -> bool:
        path = Path(given["path"])
        if not path.is_file():
            return given.get("if-no-files-found") != "error"
        target = self.service.artifacts / given["name"]
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        return True

    def _download(self, given: dict[str, str]) -> bool:
        source = self.service.artifacts / given["name"]
        if source.is_dir():
            shutil.copytree(source, given["path"])
        return source.is_dir()

    def _shell(self, step: dict[str, Any], inputs: dict[str, str]) -> bool:
        assert "${{" not in step["run"]
        installing = step["name"] == "Install Proctor"
        script = self.temp / "step.sh"
        text = step["run"]
        if installing and self.name != self.service.really_installs:
            # All but the installation itself: what the tests run in has Proctor already.
            text = re.sub(r"(?m)^.* -m (?:venv|pip) .*\n", "", text)
            (self.temp / "proctor-venv").symlink_to(VENV)
        script.write_text(text)
        files = {name: self.temp / name for name in ("OUTPUT", "PATH", "ENV", "STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        own = {name: self._put_in(str(text), inputs) for name, text in step.get("env", {}).items()}
        more = {f"GITHUB_{name}": str(file) for name, file in files.items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env={**self._environment(), **own, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if not installing or done.returncode:
            self.printed.append(done.stdout)
        self.path = [*files["PATH"].read_text().split(), *self.path]
        self.summary += files["STEP_SUMMARY"].read_text()
        pairs = (line.partition("=") for line in files["OUTPUT"].read_text().splitlines())
        self.outputs[step.get("id", "")] = {name: value for name, _, value in pairs}
        return done.returncode == 0

    def _environment(self) -> dict[str, str]:
        return {**self.env, "PATH": ":".join(dict.fromkeys(self.path))}

    def _holds(self, text: str, inputs: dict[str, str]) -> bool:
        name, _, value = text.partition(" == ")
        return self._value(name, inputs) == value.strip("'")

    def _put_in(self, text: str, inputs: dict[str, str]) -> str:
        def value(found: re.Match[str]) -> str:
            return next(
                filter(None, (self._value(one.strip(), inputs) for one in found[1].split("||"))), ""
            )

        return _EXPRESSION.sub(value, text)

    def _value(self, name: str, inputs: dict[str, str]) -> str:
        known = {
            "inputs": inputs,
            "runner": {"temp": str(self.temp)},
            "github": {"event": self.service.event},
            "steps": {step: {"outputs": found} for step, found in self.outputs.items()},
        }
        found: Any = known
        for part in name.split("."):
            found = found.get(part, {}) if isinstance(found, dict) else {}
        return found if isinstance(found, str) else ""


def environment(home: Path) -> dict[str, str]:
    """Return a plain environment with Proctor on its path."""
    home.mkdir(parents=True, exist_ok=True)
    path = f"{VENV / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    return {
        **GIT_ENV,
        "HOME": str(home),
        "PATH": path,
        "LANG": "C.UTF-8",
        "TERM": os.environ.get("TERM", ""),
    }
