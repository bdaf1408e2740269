"""From files to a verdict against a base revision."""

from pathlib import Path

import pytest

from proctor.assess.gather import Question, assess, gather
from proctor.errors import ConfigError, RepositoryError
from proctor.findings import Outcome
from tests.integration.test_assess import NOW, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.git("init", "-q", "-b", "main")
    made.commit()
    made.git("checkout", "-q", "-b", "work")
    return made


def ask(project: Project, base: str = "main", **environ: str) -> Question:
    return Question(
        folder=str(project.root),
        environ={**project.environ, **environ},
        now=NOW,
        logs=() if environ else (str(project.log),),
        base=base,
    )


def test_the_patch_stands_in_the_evidence_as_plain_values(project: Project) -> None:
    project.put("src/a.py", "x = 2\n")
    project.commit()
    project.put("src/b.py", "y = 1\n")
    project.ran("pytest")
    evidence, _ = gather(ask(project))
    assert evidence.base is not None
    assert evidence.diff == ("src/a.py", "src/b.py")
    assert [(c.old_text, c.new_text) for c in evidence.changes] == [
        ("x = 1\n", "x = 2\n"),
        (None, "y = 1\n"),
    ]
    assert evidence.inputs["base main"] == evidence.base.commit


def test_runs_on_what_the_base_held_before_are_no_attempts_of_the_patch(project: Project) -> None:
    project.ran("pytest", "tests/test_a.py", exit_code=1)
    project.git("checkout", "-q", "main")
    project.put("src/c.py", "z = 1\n")
    project.commit()  # by the clock of this machine: later than the recorded run
    project.git("checkout", "-q", "work")
    project.git("merge", "-q", "main")
    verdict = assess(ask(project))
    assert verdict.outcome is Outcome.PASS
    assert verdict.sentence == "nothing owed: nothing differs from the base"
    project.put("src/a.py", "x = 2\n")
    assert (
        assess(ask(project)).sentence
        == "nothing owed: no test run was attempted since the merge base"
    )


def test_a_log_that_the_environment_chooses_is_said(project: Project) -> None:
    project.put("src/a.py", "x = 2\n")
    project.ran("pytest")
    verdict = assess(ask(project, PROCTOR_LOG=str(project.log)))
    assert "the log is chosen by PROCTOR_LOG" in verdict.loosened
    assert verdict.outcome is Outcome.PASS


def test_every_takes_its_policy_from_the_base_too(project: Project) -> None:
    project.put("proctor.toml", "[floors]\npytest = 1\n")
    project.ran("pytest", duration_ms=20, leaf=False)
    question = ask(project)
    every = Question(
        **{name: getattr(question, name) for name in question.__struct_fields__} | {"every": True}
    )
    assert assess(every).outcome is Outcome.FAIL


def test_an_unknown_level_at_the_base_names_its_file(project: Project) -> None:
    project.put("proctor.toml", "[gate.levels]\nexpird = 'note'\n")
    project.commit()
    with pytest.raises(ConfigError, match=r"HEAD:proctor\.toml: .* did you mean 'expired'"):
        assess(ask(project, base="HEAD"))


def test_settings_of_the_base_are_an_input_by_their_digest(project: Project) -> None:
    project.put("pyproject.toml", "[tool.proctor.gate]\nenforce = 'observe'\n")
    project.commit()
    project.ran("pytest")
    evidence, policy = gather(ask(project, base="HEAD"))
    assert policy.observe
    assert "config HEAD:pyproject.toml" in evidence.inputs


def test_a_repository_without_a_working_tree_cannot_be_compared(
    project: Project, tmp_path: Path
) -> None:
    project.git("clone", "-q", "--bare", str(project.root), str(tmp_path / "bare.git"))
    question = Question(
        folder=str(tmp_path / "bare.git"), environ=project.environ, now=NOW, base="main"
    )
    with pytest.raises(RepositoryError, match="working tree cannot be identified"):
        assess(question)
