# What the console gets of an agent's session: times, numbers and names from code. Nothing that anybody said, wrote or was told.
# Redaction and `transcript: false` of the SDKs leave speech in (LiveKit Agents 1.8.9, 1.9.0), so this list decides.
import re
from datetime import datetime

MAX_ENTRIES = 300
# Names of tools, models and agents are written in code. Whatever could be a sentence, an address or a telephone number is
# left out: only models have the marks of "maker/model:size@20241022", and nothing has digits alone.
CODE_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
MODEL_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}(@[a-z0-9-]{1,20})?")
VERSION = re.compile(r"[0-9]{1,4}\.[0-9][0-9A-Za-z.+-]{0,30}")
USAGE = re.compile(r"[a-z_]{1,40}_(tokens|duration|count)")
ERRORS = ("llm", "stt", "tts", "realtime", "interruption")
LATENCIES = {
    "llm_node_ttft": "llm",
    "tts_node_ttfb": "tts",
    "e2e_latency": "reply",
    "end_of_turn_delay": "turn",
    "transcription_delay": "stt",
}


def code_name(value, pattern=CODE_NAME):
    return value if isinstance(value, str) and pattern.fullmatch(value) else ""


def number(value):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and -1e15 < value < 1e15 else 0


# JavaScript's SDK writes names in camel case.
def snake(name):
    return re.sub("(?<=[a-z0-9])([A-Z])", r"_\1", name).lower() if isinstance(name, str) else ""


def snaked(value):
    return {snake(name): each for name, each in value.items()} if isinstance(value, dict) else {}


# From seconds, milliseconds or ISO 8601: a recording has numbers, JavaScript's logs have texts.
def milliseconds(value):
    if isinstance(value, str):
        try:
            return int(datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp() * 1000)
        except (ValueError, OverflowError):
            return 0
    found = number(value)
    return int(found if found > 1e11 else found * 1000)


def latencies(metrics):
    stated = snaked(metrics)
    found = {short: milliseconds(stated.get(name)) for name, short in LATENCIES.items()}
    begun, ended = milliseconds(stated.get("started_speaking_at")), milliseconds(stated.get("stopped_speaking_at"))
    if 0 < begun < ended:
        found["speech"] = ended - begun
    return {name: value for name, value in found.items() if 0 < value < 86_400_000}


def moment(item):
    return milliseconds(snaked(item).get("created_at"))


def call_of(item):
    return str(item.get("call_id"))


# The entries of a timeline from the items of a talk: who spoke when, and which tool took how long.
def entries_of_items(items):
    stated = [snaked(item) for item in items if isinstance(item, dict)]
    outputs = {call_of(item): item for item in stated if item.get("type") == "function_call_output"}
    found = []
    for item in stated:
        at = moment(item)
        role = str(item.get("role", "")).lower()
        if item.get("type") == "message" and role in ("user", "assistant"):
            entry = {"at": at, "by": "user" if role == "user" else "agent", **latencies(item.get("metrics"))}
            if item.get("interrupted") is True:
                entry["cut"] = 1
            found.append(entry)
        elif item.get("type") == "function_call":
            output = outputs.get(call_of(item), {})
            took = moment(output) - at
            entry = {"at": at, "by": "tool", "name": code_name(item.get("name"))}
            if 0 <= took < 86_400_000:
                entry["took"] = took
            if output.get("is_error") is True:
                entry["failed"] = 1
            found.append(entry)
    return found


# The same from spans, for a session whose talk was not sent.
def entries_of_spans(spans):
    answers = [span for span in spans if span["name"] == "llm_node" and "lk.response.ttft" in span["data"]]
    found = []
    for span in spans:
        begun, ended, data = span["started"], span["ended"], span["data"]
        if span["name"] == "function_tool":
            entry = {"at": begun, "by": "tool", "name": code_name(data.get("lk.function_tool.name")), "took": max(0, ended - begun)}
            if span["failed"] or data.get("lk.function_tool.is_error") is True:
                entry["failed"] = 1
            found.append(entry)
        elif span["name"] == "agent_turn":
            within = [milliseconds(each["data"]["lk.response.ttft"]) for each in answers if begun <= each["started"] <= ended]
            entry = {"at": begun, "by": "agent", "took": max(0, ended - begun)}
            if within:
                entry["llm"] = within[0]
            if data.get("lk.interrupted") is True:
                entry["cut"] = 1
            found.append(entry)
    return sorted(found, key=lambda entry: entry["at"])


def usage_of(stated):
    found = []
    for each in stated if isinstance(stated, list) else []:
        counts = {name: whole(number(value)) for name, value in snaked(each).items() if USAGE.fullmatch(name)}
        counts = {name: value for name, value in counts.items() if value}
        if counts:
            found.append({"model": code_name(each.get("model"), MODEL_NAME), **counts})
    return found[:20]


# A field of a line: no longer than a report's field may be, in ASCII without its separators.
def field(name, value):
    return f"{name}={value}" if value not in ("", 0, None) else ""


def line(*fields):
    return "\t".join(each for each in fields if each) + "\n"


def whole(value):
    return int(value) if value == int(value) else round(value, 3)


# The lines of a job, from: job, room, agent, sdk, started, ended (ms), summary, items, spans, has_audio, is_cut, revision.
def report_lines(job):
    summary = snaked(job["summary"])
    reason = str(summary.get("close_reason"))
    errors = snaked(summary.get("errors"))
    entries = entries_of_items(job["items"]) if job["items"] else entries_of_spans(job["spans"])
    head = line(
        "agent",
        str(job["revision"]),
        job["job"],
        job["room"] or "-",
        field("agent", code_name(job["agent"])),
        field("sdk", code_name(job["sdk"], VERSION)),
        field("started", job["started"]),
        field("ended", job["ended"]),
        field("reason", reason if re.fullmatch("CR_[A-Z_]{1,40}", reason) else ""),
        *(field(f"errors-{kind}", whole(number(errors.get(kind)))) for kind in ERRORS),
        field("omitted", max(0, len(entries) - MAX_ENTRIES)),
        field("audio", int(job["has_audio"])),
        field("cut", int(job["is_cut"])),
    )
    usage = [
        line("agent-usage", *(field(name, value) for name, value in each.items())) for each in usage_of(summary.get("usage"))
    ]
    return [head, *usage, *(line("agent-entry", *(field(name, value) for name, value in each.items())) for each in entries[:MAX_ENTRIES])]
