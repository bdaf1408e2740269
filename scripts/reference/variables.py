"""The environment variables that mean something to Proctor."""

VARIABLES = {
    "PROCTOR_STATE_DIR": "the state folder; default: `$XDG_STATE_HOME/proctor`, else "
    "`~/.local/state/proctor`",
    "PROCTOR_LOG": "the span log, as `--log`",
    "PROCESS_TRACE": "the same; `PROCTOR_LOG` goes before it",
    "PROCTOR_PARENT_SPAN": "the tool call that asks for what is run, as `--parent`",
    "CODEX_TOOL_CALL_ID": "the same, where Codex sets it",
    "TRACEPARENT": "the same, as W3C trace context; also the parent of exported spans",
    "PROCTOR_KEY": "the file of the key that signs; default: `receipt.key` in "
    "`$XDG_CONFIG_HOME/proctor`, else in `~/.config/proctor`",
    "PROCTOR_MODEL_KEY": "the key of the endpoint that `oracle draft-policy --model` asks",
    "OTEL_EXPORTER_OTLP_HEADERS": "headers for the collector that `report --endpoint` sends to",
    "CI": "the venue that `evidence capture` writes down where `--venue` names none",
    "NO_COLOR": "set: no colours on a terminal",
}
"""Environment variables that people, agents and CI set."""
OWN_VARIABLES = {
    "PROCTOR_WITNESS": "the recorder that watches already, for a `proctor run` below it",
    "PROCTOR_REPORT": "the folder into which Proctor's pytest plugin writes its report",
    "PROCTOR_JUNIT": "asks the plugin for JUnit too",
    "PROCTOR_SHUFFLE": "the order that `flakes run` asks the plugin for",
}
"""Environment variables that Proctor sets for what it starts."""
