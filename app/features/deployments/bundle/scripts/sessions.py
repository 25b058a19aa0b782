#!/usr/bin/env python3
# Reads LiveKit's events and apps' evidence from Caddy's spool for the report, without what names, describes or unlocks anything.
# sessions.py report hashed|named | acknowledge SPOOL NUMBER | count | find NAME-OR-ADDRESS   Exit: 0 done, 1 nothing there, 64 usage.
import base64
import hashlib
import hmac
import json
import os
import re
import sys
from urllib.parse import quote

# The folder of the scripts stays as it was installed.
sys.dont_write_bytecode = True
import evidence
import spool
import tokens

HERE = os.environ.get("LIVEKIT_DEPLOY_ROOT", "") + "/opt/livekit"
SPOOL = f"{HERE}/data/sessions"
STATE = f"{HERE}/state/spool.json"
# Of releases in which evidence had no files of its own. It stays, for one that is put back.
FORMER_STATE = f"{HERE}/state/sessions.json"
KEY = f"{HERE}/session-names.key"
# A report is 256 KiB at most, with all else that it says.
MOST_BYTES, MOST_EVENTS, MOST_LINES = 150_000, 1_000, 20_000
# Rooms of test calls and of connection tests.
TEST_ROOMS = "livekit-deploy-test"

EVENTS = (
    "room_started room_finished participant_joined participant_left participant_connection_aborted track_published"
    " track_unpublished egress_started egress_updated egress_ended ingress_started ingress_ended"
).split()
# A value that is not in its list is left out: whoever writes a field may write anything into it.
WORDS = {
    "kind": "STANDARD INGRESS EGRESS SIP AGENT CONNECTOR BRIDGE",
    "reason": "CLIENT_INITIATED DUPLICATE_IDENTITY SERVER_SHUTDOWN PARTICIPANT_REMOVED ROOM_DELETED STATE_MISMATCH"
    " JOIN_FAILURE MIGRATION SIGNAL_CLOSE ROOM_CLOSED USER_UNAVAILABLE USER_REJECTED SIP_TRUNK_FAILURE"
    " CONNECTION_TIMEOUT MEDIA_FAILURE AGENT_ERROR",
    "type": "AUDIO VIDEO DATA",
    "source": "CAMERA MICROPHONE SCREEN_SHARE SCREEN_SHARE_AUDIO",
    "mime": "audio/opus audio/red audio/PCMU audio/PCMA video/VP8 video/VP9 video/H264 video/H265 video/AV1",
    "status": "EGRESS_STARTING EGRESS_ACTIVE EGRESS_ENDING EGRESS_COMPLETE EGRESS_FAILED EGRESS_ABORTED"
    " EGRESS_LIMIT_REACHED ENDPOINT_INACTIVE ENDPOINT_BUFFERING ENDPOINT_PUBLISHING ENDPOINT_ERROR ENDPOINT_COMPLETE",
    "input": "RTMP_INPUT WHIP_INPUT URL_INPUT",
}
ALLOWED = {name: {word.lower(): word for word in words.split()} for name, words in WORDS.items()}


def part(event, name):
    value = event.get(name)
    return value if isinstance(value, dict) else {}


def text(value):
    return value if isinstance(value, str) else ""


def sid(value, *prefixes):
    return value if re.fullmatch(f"({'|'.join(prefixes)})_[A-Za-z0-9]{{4,40}}", text(value)) else ""


def number(value):
    return int(value) if re.fullmatch("[0-9]{1,19}", str(value)) and not isinstance(value, bool) else 0


def word(name, value):
    return ALLOWED[name].get(text(value).lower(), "")


# After a crash the file has either its old or its whole new content.
def replace(path, content):
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    descriptor = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{path}.new", path)


# The machine's own key, in no backup. Servers of a cluster have the same one, which a person copies.
def names_key():
    if not os.path.exists(KEY):
        replace(KEY, os.urandom(32).hex())
    with open(KEY, "rb") as file:
        return file.read().strip()


def hashed(key, kind, name):
    return hmac.new(key, f"{kind}\n{name}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:12]


class Names:
    def __init__(self, is_named):
        self.is_named = is_named
        self.key = b"" if is_named else names_key()

    # Of what is hashed also where names are sent.
    def hashed(self, kind, name):
        self.key = self.key or names_key()
        return hashed(self.key, kind, name)

    def of(self, kind, name):
        if not name:
            return ""
        if not self.is_named:
            return self.hashed(kind, name)
        encoded = ""
        for letter in name:
            more = quote(letter, safe=" ", errors="replace")
            if len(encoded) + len(more) > 180:
                break
            encoded += more
        return "=" + encoded


def signers():
    try:
        secrets = tokens.secrets(f"{HERE}/secrets.env")
    except OSError:
        return {}
    webhooks = secrets.get("WEBHOOK_SECRET")
    return {**tokens.api_keys(secrets), **({"webhooks": webhooks} if webhooks else {})}


# Whether LiveKit signed this body. When the signature ends says nothing: it waited in the spool.
def is_signed(token, body, pairs):
    wanted = base64.b64encode(hashlib.sha256(body.encode("utf-8", "surrogatepass")).digest()).decode()
    claims = tokens.claims(token, pairs)
    return claims is not None and claims.get("sha256") == wanted


# LiveKit says the second; when Caddy wrote the line may be later, since LiveKit tries again.
def moment(event, written):
    second = number(event.get("createdAt")) * 1000
    return min(max(written, second), second + 999) if second else written


def participant_fields(event):
    participant = part(event, "participant")
    permission = part(participant, "permission")
    joined = number(participant.get("joinedAtMs")) or number(participant.get("joinedAt")) * 1000
    return {
        "joined": joined or "",
        "kind": word("kind", participant.get("kind")),
        "reason": word("reason", participant.get("disconnectReason")),
        "publisher": 1 if participant.get("isPublisher") is True else "",
        "hidden": 1 if permission.get("hidden") is True or participant.get("hidden") is True else "",
    }


def track_fields(event):
    track = part(event, "track")
    width, height = number(track.get("width")), number(track.get("height"))
    return {
        "track": sid(track.get("sid"), "TR"),
        # Values that are zero are left out of LiveKit's JSON.
        "type": word("type", track.get("type", "AUDIO")),
        "source": word("source", track.get("source")),
        "mime": word("mime", track.get("mimeType")),
        "size": f"{width}x{height}" if 0 < width < 100_000 and 0 < height < 100_000 else "",
    }


def egress_fields(info):
    return {
        "egress": sid(info.get("egressId"), "EG"),
        "status": word("status", info.get("status", "EGRESS_STARTING")),
        "started": number(info.get("startedAt")) // 1_000_000 or "",
        "ended": number(info.get("endedAt")) // 1_000_000 or "",
        "code": number(info.get("errorCode")) or "",
    }


def ingress_fields(info):
    state = part(info, "state")
    return {
        "ingress": sid(info.get("ingressId"), "IN"),
        "status": word("status", state.get("status", "ENDPOINT_INACTIVE")),
        "input": word("input", info.get("inputType", "RTMP_INPUT")),
        "started": number(state.get("startedAt")) // 1_000_000 or "",
        "ended": number(state.get("endedAt")) // 1_000_000 or "",
        "failed": 1 if state.get("error") else "",
    }


# The fields of a report's line, or None where nothing is to be said of this event.
def event_fields(event, written, names):
    kind = event.get("event")
    if kind not in EVENTS:
        return None
    egress, ingress, room, participant = (part(event, name) for name in ("egressInfo", "ingressInfo", "room", "participant"))
    info = egress or ingress
    name = text(room.get("name")) or text(info.get("roomName"))
    if name.startswith(TEST_ROOMS):
        return None
    fields = {}
    if kind.startswith("egress"):
        fields = egress_fields(egress)
    elif kind.startswith("ingress"):
        fields = ingress_fields(ingress)
    elif not kind.startswith("room"):
        fields = participant_fields(event)
        if kind.startswith("track"):
            fields.update(track_fields(event))
    room_sid = sid(room.get("sid") or info.get("roomId") or part(ingress, "state").get("roomId"), "RM")
    return [
        str(moment(event, written)),
        kind,
        room_sid,
        names.of("room", name),
        sid(participant.get("sid"), "PA"),
        names.of("identity", text(participant.get("identity"))),
        *(f"{key}={value}" for key, value in fields.items() if value != ""),
    ]


# Whether LiveKit signed what the line has, and the fields of its event. A line without an event has none.
def event_line(line, pairs, names):
    entry = object_of(line)
    body = entry.get("event")
    # Machines that took evidence before it had files of its own have some here.
    if isinstance(entry.get("evidence"), str):
        return 0, evidence.fields(entry, pairs, names, TEST_ROOMS)
    if not isinstance(body, str):
        return 0, None
    if not is_signed(text(entry.get("jwt")), body, pairs):
        return 1, None
    try:
        event = json.loads(body)
        written = int(float(entry.get("ts", 0)))
    except (ValueError, TypeError, RecursionError):
        return 1, None
    return 0, event_fields(event, written, names) if isinstance(event, dict) else None


# Of each request there is a line with its time alone, and of those within the limit one with what it said: 1 and -1.
def evidence_line(line, pairs, names):
    entry = object_of(line)
    if not isinstance(entry.get("evidence"), str):
        return 1 if entry else 0, None
    if evidence.is_surplus(entry):
        return 0, None
    return -1, evidence.fields(entry, pairs, names, TEST_ROOMS)


def object_of(line):
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


# What the head of a log's lines says: how far it was read, and what is missing in it.
def event_numbers(place):
    return [place["number"], place["lost"], place["refused"]]


# A request that rolled away had two lines at most.
def evidence_numbers(place):
    return [place["number"], max(0, place["refused"]) + place["lost"] // 2]


LOGS = {
    "events": ("event", event_line, event_numbers),
    "evidence": ("call", evidence_line, evidence_numbers),
}


def read_state():
    state = stored(STATE)
    former = {} if state else stored(FORMER_STATE)
    if former:
        place = former["place"]
        place["refused"] = place.pop("unverified")
        state["events"] = {name: former[name] for name in ("spool", "place", "counted", "known")}
    # Numbers count within one spool, so a machine that lost its state begins a new one.
    return {name: state.get(name) or spool.beginning(numbers) for name, (_, _, numbers) in LOGS.items()}


def stored(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def write_state(state):
    replace(STATE, json.dumps(state))


def counted():
    state = read_state()
    found = {name: spool.files(SPOOL, name) for name in LOGS}
    for name, log in state.items():
        spool.count(log, found[name])
    return state, found


def report(is_named):
    state, found = counted()
    names, pairs = Names(is_named), signers()
    output, events, size = [], 0, 0
    for name, (kind, parse, numbers) in LOGS.items():
        log = state[name]
        limits = (MOST_EVENTS - events, MOST_BYTES - size, MOST_LINES)
        lines, place = spool.unread(log["place"], found[name], kind, lambda line: parse(line, pairs, names), limits)
        log["sent"] = place
        # What the console knows already is not said each minute.
        if lines or numbers(place) != log["known"]:
            output += ["\t".join([name, log["spool"], *map(str, numbers(place))]) + "\n", *lines]
        events += len(lines)
        size += sum(map(len, lines))
    write_state(state)
    sys.stdout.write("".join(output))


def acknowledge(spool_id, through):
    state = read_state()
    for name, log in state.items():
        sent = log.get("sent")
        if not sent or log["spool"] != spool_id or str(sent["number"]) != through:
            continue
        log["place"], log["known"] = sent, LOGS[name][2](sent)
        del log["sent"]
        write_state(state)
        spool.remove_former(SPOOL, name, sent["file"])


def find(name):
    with open(KEY, "rb") as key_file:
        names_of_machine = key_file.read().strip()
    for kind in ("identity", "room"):
        print(f"{kind:<9}{hashed(names_of_machine, kind, name)}")
    network = evidence.network(name, lambda kind, name: hashed(names_of_machine, kind, name))
    if network:
        print(f"network  {network}")


def main(command="", *arguments):
    if command == "report" and arguments in (("hashed",), ("named",)):
        report(arguments == ("named",))
    elif command == "acknowledge" and len(arguments) == 2:
        acknowledge(*arguments)
    elif command == "count" and not arguments:
        write_state(counted()[0])
    elif command == "find" and len(arguments) == 1:
        if not os.path.exists(KEY):
            return 1
        find(*arguments)
    else:
        print("Usage: sessions.py report hashed|named | acknowledge SPOOL NUMBER | count | find NAME-OR-ADDRESS", file=sys.stderr)
        return 64
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
