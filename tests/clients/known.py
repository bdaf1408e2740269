"""The clients that the tests start, each at a pinned version."""

import json
from collections.abc import Mapping

from tests.clients.base import Client, Stage

PROMPT = "Run the tests."


def _claude_code(stage: Stage) -> Mapping[str, str]:
    return {
        "ANTHROPIC_BASE_URL": stage.url,
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _codex(stage: Stage) -> Mapping[str, str]:
    stage.put(
        ".codex/config.toml",
        'model = "scripted"\nmodel_provider = "local"\n\n[model_providers.local]\nname = "local"\n'
        f'base_url = "{stage.url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n\n'
        f'[projects."{stage.work}"]\ntrust_level = "trusted"\n',
        at_home=True,
    )
    return {"FAKE_KEY": "dummy", "CODEX_HOME": str(stage.home / ".codex")}


def _opencode(stage: Stage) -> Mapping[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "local",
        "options": {"baseURL": f"{stage.url}/v1", "apiKey": "dummy"},
        "models": {"scripted": {"name": "scripted"}},
    }
    config = {"provider": {"local": provider}, "model": "local/scripted", "share": "disabled"}
    stage.put(".config/opencode/opencode.json", json.dumps(config), at_home=True)
    return {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }


def _gemini_cli(stage: Stage) -> Mapping[str, str]:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
    }
    stage.put(".gemini/settings.json", json.dumps(settings), at_home=True)
    return {
        "GEMINI_API_KEY": "dummy",
        "GOOGLE_GEMINI_BASE_URL": stage.url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }


def _mini_swe_agent(stage: Stage) -> Mapping[str, str]:
    return {
        "OPENAI_API_KEY": "dummy",
        "OPENAI_BASE_URL": f"{stage.url}/v1",
        "OPENAI_API_BASE": f"{stage.url}/v1",
        "MSWEA_CONFIGURED": "true",
        "MSWEA_COST_TRACKING": "ignore_errors",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }


def _copilot_cli(stage: Stage) -> Mapping[str, str]:
    return {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{stage.url}/v1",
        "COPILOT_PROVIDER_API_KEY": "dummy",
        "COPILOT_MODEL": "gpt-4o",
        "COPILOT_AUTO_UPDATE": "false",
    }


CLIENTS = (
    Client(
        name="claude_code",
        package="@anthropic-ai/claude-code@2.1.332",
        program="claude",
        prepare=_claude_code,
        words=("-p", PROMPT, "--allowedTools", "Bash"),
        transcript=".claude/projects/*/*.jsonl",
    ),
    Client(
        name="codex",
        package="@openai/codex@0.171.0",
        program="codex",
        prepare=_codex,
        words=("exec", "--dangerously-bypass-approvals-and-sandbox",
               "--dangerously-bypass-hook-trust", PROMPT),
        transcript=".codex/sessions/*/*/*/rollout-*.jsonl",
    ),
    Client(
        name="opencode",
        package="opencode-ai@1.18.33",
        program="opencode",
        prepare=_opencode,
        words=("run", "--format", "json", PROMPT),
        transcript="opencode-export.json",
    ),
    Client(
        name="gemini_cli",
        package="@google/gemini-cli@0.61.0",
        program="gemini",
        prepare=_gemini_cli,
        words=("-p", PROMPT, "--yolo", "-m", "gemini-2.5-flash"),
        transcript=".gemini/tmp/*/chats/session-*",
    ),
    Client(
        name="copilot_cli",
        package="@github/copilot@1.0.102",
        program="copilot",
        prepare=_copilot_cli,
        words=("-p", PROMPT, "--allow-all-tools", "--trust-folder"),
        transcript=".copilot/session-state/*/events.jsonl",
    ),
    Client(
        name="mini_swe_agent",
        package="mini-swe-agent==2.4.6",
        program="mini",
        prepare=_mini_swe_agent,
        words=("-m", "openai/gpt-4o", "-t", PROMPT, "-y", "--exit-immediately", "-o",
               "../home/run.traj.json"),
        transcript="run.traj.json",
        pip=("litellm>=1.80,<2", "jinja2", "pyyaml", "rich", "typer", "python-dotenv", "pydantic",
             "platformdirs", "prompt-toolkit", "tenacity", "requests"),
        last_command="echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
    ),
)  # fmt: skip
