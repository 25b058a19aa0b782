#!/usr/bin/env python3
# Reads LiveKit's events from Caddy's spool for the report, without what names, describes or unlocks anything.
# sessions.py report hashed|named | acknowledge SPOOL NUMBER | count | find NAME   Exit: 0 done, 1 nothing there, 64 usage.
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

HERE = os.environ.get("LIVEKIT_DEPLOY_ROOT", "") + "/opt/livekit"
SPOOL = f"{HERE}/data/sessions"
STATE = f"{HERE}/state/sessions.json"
KEY = f"{HERE}/session-names.key"
# A report is 256 KiB at most, with all else that it says.
MOST_BYTES, MOST_EVENTS, MOST_LINES = 150_000, 1_000, 5_000
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


def secrets():
    values = {}
    try:
        with open(f"{HERE}/secrets.env", encoding="utf-8") as file:
            for line in file:
                name, _, value = line.strip().partition("=")
                values[name] = value.strip("'\"")
    except OSError:
        pass
    pairs = {values.get(f"{name}_KEY"): values.get(f"{name}_SECRET") for name in ("LIVEKIT_API", "LIVEKIT_OLD_API")}
    pairs["webhooks"] = values.get("WEBHOOK_SECRET")
    return {key: secret for key, secret in pairs.items() if key and secret}


def unpadded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


# Whether LiveKit signed this body. When the signature ends says nothing: it waited in the spool.
def is_signed(token, body, pairs):
    try:
        head, claims, signature = token.split(".")
        stated = json.loads(unpadded(claims))
        secret = pairs.get(stated["iss"])
        if secret is None or json.loads(unpadded(head))["alg"] != "HS256":
            return False
        right = hmac.new(secret.encode(), f"{head}.{claims}".encode(), hashlib.sha256).digest()
        wanted = base64.b64encode(hashlib.sha256(body.encode("utf-8", "surrogatepass")).digest()).decode()
        return hmac.compare_digest(right, unpadded(signature)) and hmac.compare_digest(wanted, stated["sha256"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


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
def parsed_line(line, pairs, names):
    try:
        entry = json.loads(line)
        body = entry.get("event")
    except (ValueError, AttributeError):
        return True, None
    if isinstance(entry.get("evidence"), str):
        return True, evidence.fields(entry, pairs, names, names.hashed, TEST_ROOMS)
    if not isinstance(body, str):
        return True, None
    if not is_signed(text(entry.get("jwt")), body, pairs):
        return False, None
    try:
        event = json.loads(body)
        written = int(float(entry.get("ts", 0)))
    except (ValueError, TypeError):
        return False, None
    return True, event_fields(event, written, names) if isinstance(event, dict) else None


# The files of the spool, the oldest first, by what identifies each: its first line. A roll changes the name only.
def spool_files():
    try:
        names = [name for name in os.listdir(SPOOL) if re.fullmatch(r"events(-[0-9T.-]+)?\.log", name)]
    except OSError:
        return {}
    files = {}
    for name in sorted(names, key=lambda name: (name == "events.log", name)):
        try:
            with open(f"{SPOOL}/{name}", "rb") as file:
                first = file.readline(1_000_000)
        except OSError:
            continue
        if first.endswith(b"\n"):
            files[hashlib.sha256(first).hexdigest()[:16]] = f"{SPOOL}/{name}"
    return files


def read_state():
    try:
        with open(STATE, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        # Numbers count within one spool, so a machine that lost its state begins a new one.
        return {
            "spool": os.urandom(8).hex(),
            "place": {"file": "", "offset": 0, "line": 0, "number": 0, "lost": 0, "unverified": 0},
            "counted": {},
            "known": [0, 0, 0],
        }


def write_state(state):
    replace(STATE, json.dumps(state))


# Counts the lines of each file, so that those of one that rolled away are known; and goes on behind what was lost.
def counted(state, files):
    counts, place = state["counted"], state["place"]
    for name, path in files.items():
        size, lines = counts.get(name, [0, 0])
        with open(path, "rb") as file:
            file.seek(size)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                size += len(line)
                lines += 1
        counts[name] = [size, lines]
    gone = [name for name in counts if name not in files]
    lost = sum(counts[name][1] for name in gone)
    if place["file"] in gone:
        lost -= place["line"]
    for name in gone:
        del counts[name]
    if place["file"] not in files:
        place.update(file=next(iter(files), ""), offset=0, line=0)
    place["number"] += lost
    place["lost"] += lost
    return state


def batch(state, files, names):
    pairs = secrets()
    place = dict(state["place"])
    lines, size, read = [], 0, 0
    order = list(files)
    for name in order[order.index(place["file"]) :] if place["file"] in files else []:
        if name != place["file"]:
            place.update(file=name, offset=0, line=0)
        with open(files[name], "rb") as file:
            file.seek(place["offset"])
            for line in file:
                if not line.endswith(b"\n"):
                    break
                is_verified, fields = parsed_line(line, pairs, names)
                text_line = "\t".join(["event", str(place["number"] + 1), *fields]) + "\n" if fields else ""
                read += 1
                size += len(text_line)
                if size > MOST_BYTES or len(lines) >= MOST_EVENTS or read > MOST_LINES:
                    return lines, place
                place["offset"] += len(line)
                place["line"] += 1
                place["number"] += 1
                place["unverified"] += 0 if is_verified else 1
                if text_line:
                    lines.append(text_line)
    return lines, place


def numbers(place):
    return [place["number"], place["lost"], place["unverified"]]


def report(is_named):
    files = spool_files()
    state = counted(read_state(), files)
    lines, place = batch(state, files, Names(is_named))
    state["sent"] = place
    write_state(state)
    # What the console knows already is not said each minute.
    if lines or numbers(place) != state["known"]:
        print("\t".join(["events", state["spool"], *map(str, numbers(place))]))
        sys.stdout.write("".join(lines))


def acknowledge(spool, through):
    state = read_state()
    sent = state.get("sent")
    if sent and state["spool"] == spool and str(sent["number"]) == through:
        state["place"], state["known"] = sent, numbers(sent)
        del state["sent"]
        write_state(state)


command, arguments = (sys.argv[1:2] or [""])[0], sys.argv[2:]
if command == "report" and arguments in (["hashed"], ["named"]):
    report(arguments == ["named"])
elif command == "acknowledge" and len(arguments) == 2:
    acknowledge(*arguments)
elif command == "count" and not arguments:
    write_state(counted(read_state(), spool_files()))
elif command == "find" and len(arguments) == 1:
    if not os.path.exists(KEY):
        sys.exit(1)
    with open(KEY, "rb") as key_file:
        names_of_machine = key_file.read().strip()
    for kind in ("identity", "room"):
        print(f"{kind:<9}{hashed(names_of_machine, kind, arguments[0])}")
    network = evidence.network(arguments[0], lambda kind, name: hashed(names_of_machine, kind, name))
    if network:
        print(f"network  {network}")
else:
    print("Usage: sessions.py report hashed|named | acknowledge SPOOL NUMBER | count | find NAME", file=sys.stderr)
    sys.exit(64)
