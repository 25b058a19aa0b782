# Reads what a customer's app says of the way of a call, for sessions.py: words of closed lists and small numbers. The
# token that comes with it says who it is; what LiveKit's key did not sign is passed over.
import ipaddress
import json
import re

import tokens

# More of one address in one minute is not taken: a page that is broken, or somebody who wants to fill the list.
MOST_IN_MINUTE = 30
# A token may have ended while its call went on.
LONGEST_CALL = 86_400

WORDS = {
    "state": "connected ended failed",
    "path": "udp tcp relay-udp relay-tcp relay-tls relay",
    "direct": "open silent",
    "failure": "token unreachable timeout media refused duplicate broken camera microphone other",
}
BROWSERS = "chrome edge firefox safari ios android macos windows linux other".split()
SDKS = "js swift android flutter reactnative unity python node rust cpp go other".split()

counts = {}


# Who joined which room by a token that one of this machine's keys signed, and whether it was out of its time; or None.
def bearer(token, pairs, second):
    claims = tokens.claims(token, pairs)
    if claims is None:
        return None
    try:
        grant = claims["video"]
        if grant.get("roomJoin") is not True:
            return None
        begin, end = claims.get("nbf", 0), claims["exp"]
        if not second - LONGEST_CALL < end or second + LONGEST_CALL < begin:
            return None
        time = "ended" if end < second else "early" if second < begin else ""
        identity, room = claims["sub"], grant["room"]
    except (KeyError, TypeError, AttributeError):
        return None
    return (identity, room, time) if isinstance(identity, str) and isinstance(room, str) and identity and room else None


def word(name, value):
    return value.replace("-", "_") if isinstance(value, str) and value in WORDS[name].split() else ""


def whole(value, most):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return str(round(value)) if is_number and 0 <= value <= most else ""


# "chrome 141" or "js 2.16.1", of a closed list, as FAMILY/VERSION.
def product(value, families):
    found = re.fullmatch(r"([a-z]{2,12}) ([0-9]{1,4}(?:\.[0-9]{1,4}){0,2})", value) if isinstance(value, str) else None
    return f"{found[1]}/{found[2].replace('.', '_')}" if found and found[1] in families else ""


def sid(value, prefix):
    return value if isinstance(value, str) and re.fullmatch(prefix + "_[A-Za-z0-9]{4,40}", value) else ""


def address_of(said):
    try:
        found = ipaddress.ip_address(str(said).split("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


# The network of an address, as a hash: what one house or office has in common. None of the machine itself.
def network(address, hashed):
    found = address_of(address)
    if found is None or found.is_loopback:
        return ""
    return hashed("network", str(ipaddress.ip_network((found, 24 if found.version == 4 else 48), strict=False)))


# Whether more came of its address in this minute than is taken. What an existing proxy passes on has the proxy's address,
# which all callers share.
def is_surplus(entry):
    address = address_of(entry.get("from"))
    if address is None or address.is_loopback:
        return False
    try:
        place = (str(address), int(float(entry.get("ts", 0))) // 60_000)
    except (ValueError, TypeError, OverflowError):
        return True
    counts[place] = counts.get(place, 0) + 1
    return counts[place] > MOST_IN_MINUTE


def permille(share):
    return whole(share * 1000, 1000) if isinstance(share, (int, float)) else ""


# The fields of a report's line, or None where nothing is to be said of this. `names` is of sessions.py.
def fields(entry, pairs, names, test_rooms):
    try:
        written = int(float(entry.get("ts", 0)))
        said = json.loads(entry["evidence"])
    except (ValueError, TypeError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    found = bearer(said.get("token"), pairs, written // 1000)
    state = word("state", said.get("state"))
    if found is None or not state or found[1].startswith(test_rooms):
        return None
    identity, room, time = found
    details = {
        "state": state,
        "path": word("path", said.get("way")),
        "loss": permille(said.get("loss")),
        "sent": permille(said.get("sent")),
        "trip": whole(said.get("rtt"), 60_000),
        "jitter": whole(said.get("jitter"), 60_000),
        "browser": product(said.get("browser"), BROWSERS),
        "client": product(said.get("sdk"), SDKS),
        "network": network(entry.get("from"), names.hashed),
        "failure": word("failure", said.get("failure")),
        "direct": word("direct", said.get("direct")),
        # Of a token that LiveKit refused. One that ended while its call went on is nothing.
        "token": time if said.get("failure") == "token" else "",
    }
    return [
        str(written),
        "call_evidence",
        sid(said.get("room"), "RM"),
        names.of("room", room),
        sid(said.get("participant"), "PA"),
        names.of("identity", identity),
        *(f"{key}={value}" for key, value in details.items() if value != ""),
    ]
