#!/usr/bin/env python3
# Makes a token: of ten minutes for a room, of a day for a connection test, of five minutes for the console's live rooms, of
# one minute for what an agent recorded.
# Or joins a room as a client does.
# call.py token ROOM IDENTITY | test-token | rooms-token HOST:PORT [ROOM-SID]
# | insights-token read|delete JOB | join HOST:PORT=NAME ROOM
# API key and secret are read from standard input.
# join prints "joined" or the reason why not, the others print the token. Exit: 0 done, 1 not joined or no such room,
# 64 usage.
import base64
import hashlib
import hmac
import json
import os
import re
import socket
import ssl
import sys
import time
import urllib.request
import uuid

SECONDS = 10


def segment(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


# A token as LiveKit takes it: a JWT that the API secret signs.
def signed(key, secret, identity, seconds, grant, kind="video"):
    now = int(time.time())
    claims = {"iss": key, "sub": identity, "nbf": now - 10, "exp": now + seconds, kind: grant}
    head = {"alg": "HS256", "typ": "JWT"}
    text = b".".join(segment(json.dumps(part).encode()) for part in (head, claims))
    return (text + b"." + segment(hmac.new(secret.encode(), text, hashlib.sha256).digest())).decode()


def token_for(key, secret, room, identity, seconds=600, **grants):
    return signed(key, secret, identity, seconds, {"room": room, "roomJoin": True, **grants})


# The reason why nobody can join here, or None. LiveKit's first message is what it answers to who has joined.
def refusal(host, port, name, token):
    try:
        plain = socket.create_connection((host, int(port)), SECONDS)
    except OSError as error:
        return f"nothing answers at {name}, port {port}: {error.strerror or error}"
    with plain:
        try:
            stream = ssl.create_default_context().wrap_socket(plain, server_hostname=name)
        except ssl.SSLCertVerificationError as error:
            return f"the certificate of {name} is not valid: {error.verify_message}"
        except OSError as error:
            return f"{name} ends the connection before TLS is up: {error.strerror or error}"
        with stream:
            stream.settimeout(SECONDS)
            return refusal_by_websocket(stream, name, token)


def refusal_by_websocket(stream, name, token):
    nonce = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET /rtc?access_token={token}&protocol=9&auto_subscribe=0 HTTP/1.1",
        f"Host: {name}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {nonce}",
    ]
    try:
        stream.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            more = stream.recv(4096)
            if not more:
                return "LiveKit ended the connection without an answer"
            answer += more
        head, _, rest = answer.partition(b"\r\n\r\n")
        status = head.split(b"\r\n")[0].split(b" ", 2)
        if len(status) < 2 or status[1] != b"101":
            return f"LiveKit answered {b' '.join(status[1:]).decode('ascii', 'replace')}"
        first = rest or stream.recv(4096)
        # 0x82 begins a whole binary message, 0x88 the end.
        if first[:1] != b"\x82":
            return "LiveKit took the token and sent no room"
        # Says that it leaves, so that LiveKit need not wait for it to come back.
        stream.sendall(b"\x88\x80" + os.urandom(4))
    except OSError as error:
        return f"no answer within {SECONDS} seconds: {error.strerror or error}"
    return None


# Joins one room of a test, unseen, and can send and receive nothing. The console takes no token that allows more.
def test_token(key, secret):
    return token_for(
        key,
        secret,
        f"livekit-deploy-test-{uuid.uuid4()}",
        "connection-test",
        86400,
        hidden=True,
        canPublish=False,
        canSubscribe=False,
        canPublishData=False,
    )


# Lists rooms and ends them; LiveKit asks for roomCreate to end one. With the sid of a room also what is done to people in
# that one. A sid, because the console shows this command: a name could hold anything that somebody typed.
def rooms_token(key, secret, place, sid=None):
    grant = {"roomList": True, "roomCreate": True}
    if sid is not None:
        listing = signed(key, secret, "live-rooms", 60, {"roomList": True})
        request = urllib.request.Request(
            f"http://{place}/twirp/livekit.RoomService/ListRooms",
            b"{}",
            {"Authorization": f"Bearer {listing}", "Content-Type": "application/json"},
        )
        # A proxy is for what is elsewhere.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=SECONDS) as answer:
                rooms = json.load(answer)["rooms"]
        except OSError as error:
            return None, f"LiveKit does not say which rooms there are: {error}"
        names = [room["name"] for room in rooms if room["sid"] == sid]
        if not names:
            return None, "There is no such room any more."
        grant.update(roomAdmin=True, room=names[0])
    return signed(key, secret, "live-rooms", 300, grant), None


words = {"token": (4,), "test-token": (2,), "rooms-token": (3, 4), "insights-token": (4,), "join": (4,)}
command = sys.argv[1] if len(sys.argv) > 1 and len(sys.argv) in words.get(sys.argv[1], ()) else ""
place = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[^:]+):([0-9]+)=(\S+)", sys.argv[2]) if command == "join" else None
if not (command in ("token", "test-token", "rooms-token", "insights-token") or place):
    print(
        "Usage: call.py token ROOM IDENTITY | test-token | rooms-token HOST:PORT [ROOM-SID]"
        " | insights-token read|delete JOB | join HOST:PORT=NAME ROOM",
        file=sys.stderr,
    )
    sys.exit(64)
key, secret = sys.stdin.read().split()
if command == "rooms-token":
    token, problem = rooms_token(key, secret, *sys.argv[2:])
    print(token or problem)
    sys.exit(0 if token else 1)
if command == "insights-token":
    print(signed(key, secret, "insights", 60, {sys.argv[2]: sys.argv[3]}, "observability"))
    sys.exit(0)
if not place:
    print(test_token(key, secret) if command == "test-token" else token_for(key, secret, *sys.argv[2:]))
    sys.exit(0)
host, port, name = place.groups()
reason = refusal(host.strip("[]"), port, name, token_for(key, secret, sys.argv[3], "livekit-deploy"))
print(reason or "joined")
sys.exit(1 if reason else 0)
