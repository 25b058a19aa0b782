#!/usr/bin/env python3
# Takes what LiveKit's Agents SDKs record of their sessions, and keeps it on this machine, in the folder given.
# insights.py serve FOLDER PORT DAYS GIGABYTES | report FOLDER FILE | show   Exit: 0 done, 1 no session, 64 usage.
# serve reads the keys of tokens in $CREDENTIALS_DIRECTORY/secrets, and ends when what it was started from changed.
# report prints what the console has not: FILE has the number of the last that it has. show reads a session from standard input.
import glob
import json
import os
import re
import signal
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Nothing is written beside the scripts, which a bundle replaces.
sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
import insights_incoming
import insights_store
import insights_summary
import tokens

HERE = os.environ.get("LIVEKIT_DEPLOY_ROOT", "") + "/opt/livekit"
OFF = f"{HERE}/insights-off"
SIGNALS = {f"/observability/{name}/otlp/v0": name for name in ("traces", "logs", "metrics")}
RECORDINGS = "/observability/recordings/v0"
READING = re.compile(r"/observability/insights/(AJ_[A-Za-z0-9]{4,40})(/audio)?")
DELETING = re.compile(r"/observability/insights/(AJ_[A-Za-z0-9]{4,40}|all)")
# An hour of sound is 40 MB. A batch of 63 turns of one session is 110 kB.
MAX_BODY = {"recordings": 600_000_000, "traces": 16_000_000, "logs": 16_000_000, "metrics": 4_000_000}
MAX_REQUESTS = 32
CHUNK = 65_536
LEEWAY = 60
# JavaScript's SDK makes a token of six hours when a job begins, and no other one while it lasts.
LONGEST_JOB = 24 * 3_600
# How many seconds what was begun may take when this program ends.
ENDING = 10
# Of the 256 KiB of a report, beside what it says else.
MAX_REPORT = 40_000


# What a token grants here: a participant's token, which the same key signs, has no such grant. None: it is not valid.
def grant_of(authorization, pairs):
    kind, _, token = authorization.partition(" ")
    claims = tokens.claims(token, pairs)
    if kind != "Bearer" or claims is None:
        return None
    try:
        now = time.time()
        grant, begun = claims["observability"], claims.get("nbf", 0)
        is_over = claims["exp"] < now - LEEWAY and not (grant == {"write": True} and begun > now - LONGEST_JOB)
        if is_over or begun > now + LEEWAY:
            return None
        return grant if isinstance(grant, dict) else None
    except (KeyError, TypeError):
        return None


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    # Set by serve().
    store = spool = pairs = None
    requests = threading.BoundedSemaphore(MAX_REQUESTS)

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", kind="application/json", headers=()):
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    # The rest of the body is not read, so the connection ends.
    def refuse(self, status, sentence, headers=()):
        self.close_connection = True
        body = json.dumps({"message": sentence}).encode()
        self.answer(status, body, headers=(("Connection", "close"), *headers))

    # The chunks of the body. ValueError: it is longer than `most`, or ends too early.
    def chunks(self, most):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self.chunked(most)
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > most:
            raise ValueError("length")
        return self.counted(int(length))

    def counted(self, left):
        while left > 0:
            chunk = self.rfile.read(min(CHUNK, left))
            if not chunk:
                raise ValueError("early end")
            left -= len(chunk)
            yield chunk

    def chunked(self, most):
        while True:
            line = self.rfile.readline(64).split(b";")[0].strip()
            if not re.fullmatch(b"[0-9A-Fa-f]{1,8}", line):
                raise ValueError("chunk")
            size = int(line, 16)
            most -= size
            if most < 0:
                raise ValueError("length")
            if size == 0:
                while self.rfile.readline(1_000).strip():
                    pass
                return
            yield from self.counted(size)
            if self.rfile.readline(4).strip():
                raise ValueError("chunk")

    def do_POST(self):
        path = re.sub("/+", "/", self.path.split("?")[0])
        kind = "recordings" if path == RECORDINGS else SIGNALS.get(path)
        grant = grant_of(self.headers.get("Authorization", ""), self.pairs)
        if kind is None:
            return self.refuse(404, "There is nothing here.")
        if grant is None or grant.get("write") is not True:
            return self.refuse(401, "The token is not valid, or does not grant observability.write.")
        if os.path.exists(OFF):
            return self.refuse(401, "data recording is disabled")
        # A recording is not tried again after a 503, traces are.
        begun = time.monotonic()
        if not self.requests.acquire(timeout=insights_incoming.PATIENCE):
            return self.refuse(503, "Too many requests at once.", (("Retry-After", "2"),))
        try:
            self.take(kind, insights_incoming.PATIENCE - (time.monotonic() - begun))
        finally:
            self.requests.release()

    # It is on the disk when it is answered with 200, but where the disk does not take it within that many seconds.
    def take(self, kind, patience):
        headers = self.headers
        body = self.store.incoming.begin(kind, headers.get("Content-Type", ""), headers.get("Content-Encoding", ""))
        try:
            for chunk in self.chunks(MAX_BODY[kind]):
                begun = time.monotonic()
                self.spool.add(body, chunk, patience)
                patience -= time.monotonic() - begun
        except (ValueError, OSError):
            body.fault = "broken"
            self.spool.finish(body, 0)
            return self.refuse(413 if "Content-Length" in headers else 400, "The body is too long, or not whole.")
        if not self.spool.finish(body, patience):
            self.store.warn("late", f"A body of {kind} is answered before it is on the disk.")
        self.answer(200)

    def do_OPTIONS(self):
        self.answer(204, headers=self.shared() + (("Access-Control-Allow-Headers", "authorization, range"),))

    # A page of another origin may read with a token that a person gave it: cookies mean nothing here.
    def shared(self):
        return (("Access-Control-Allow-Origin", "*"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))

    def do_GET(self):
        match = READING.fullmatch(self.path)
        grant = grant_of(self.headers.get("Authorization", ""), self.pairs)
        if not match:
            return self.refuse(404, "There is nothing here.", self.shared())
        if grant is None or grant.get("read") != match[1]:
            return self.refuse(401, "The token is not valid for this session.", self.shared())
        if not match[2]:
            session = self.store.session(match[1])
            found = json.dumps(session).encode() if session else b""
            return self.answer(200, found, headers=self.shared()) if found else self.refuse(404, "This session is not here.", self.shared())
        try:
            with open(self.store.jobs.audio_path(match[1]), "rb") as audio:
                self.play(audio, os.fstat(audio.fileno()).st_size)
        except FileNotFoundError:
            self.refuse(404, "There is no sound of this session.", self.shared())

    # All of the sound, or the one range of bytes that was asked for.
    def play(self, audio, length):
        found = re.fullmatch(r"bytes=(\d{0,15})-(\d{0,15})", self.headers.get("Range", ""))
        start, end = 0, length
        is_part = bool(found and (found[1] or found[2]))
        if is_part and found[1]:
            start, end = int(found[1]), min(length, int(found[2] or length) + 1)
        elif is_part:
            start = max(0, length - int(found[2]))
        if start >= end:
            return self.refuse(416, "The sound is shorter.", (("Content-Range", f"bytes */{length}"), *self.shared()))
        self.send_response(206 if is_part else 200)
        part = (("Content-Range", f"bytes {start}-{end - 1}/{length}"),) if is_part else ()
        sizes = (("Content-Length", str(end - start)), ("Accept-Ranges", "bytes"), *part)
        for name, value in (("Content-Type", "audio/ogg"), *sizes, *self.shared()):
            self.send_header(name, value)
        self.end_headers()
        audio.seek(start)
        while start < end and (chunk := audio.read(min(CHUNK, end - start))):
            self.wfile.write(chunk)
            start += len(chunk)

    def do_DELETE(self):
        match = DELETING.fullmatch(self.path)
        grant = grant_of(self.headers.get("Authorization", ""), self.pairs)
        if not match or grant is None or grant.get("delete") != match[1]:
            return self.refuse(401, "The token is not valid for this.")
        self.store.delete_later(match[1])
        self.answer(200)


# What this program was started from: when it changes, a new one is to be started.
def origin():
    programs = glob.glob(f"{FOLDER}/insights*.py")
    paths = [*programs, tokens.__file__, f"{HERE}/deployment.env", f"{HERE}/secrets.env"]
    return {path: os.stat(path).st_mtime_ns for path in paths if os.path.exists(path)}


def serve(folder, port, days, gigabytes):
    begun_from, is_ending = origin(), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: is_ending.set())
    store = insights_store.Store(folder, days, int(gigabytes * 1_000_000_000))
    secrets = tokens.secrets(os.environ["CREDENTIALS_DIRECTORY"] + "/secrets")
    Receiver.store, Receiver.spool, Receiver.pairs = store, insights_incoming.Spool(store.incoming), tokens.api_keys(secrets)
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"Listening on 127.0.0.1:{server.server_address[1]}", flush=True)
    swept = 0.0
    while origin() == begun_from and not is_ending.is_set():
        try:
            store.work(1)
            if time.monotonic() - swept > 60 or swept == 0:
                store.sweep(time.time())
                swept = time.monotonic()
        except (sqlite3.Error, OSError) as error:
            print(f"The disk does not take what was received: {error}", flush=True)
            store.note_failure(str(error) if isinstance(error, sqlite3.Error) else str(error.strerror))
            is_ending.wait(insights_store.PAUSE)
    end(server, store)


# What was answered is on the disk before this program ends, and what is being sent is answered.
def end(server, store):
    server.shutdown()
    over = time.monotonic() + ENDING
    for _ in range(MAX_REQUESTS):
        Receiver.requests.acquire(timeout=max(0, over - time.monotonic()))
    Receiver.spool.is_empty(over - time.monotonic())
    store.publish()


def read(path, otherwise):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return otherwise


# The blocks of the report that the console has not, until it is full: each begins with a line of the session itself.
def report(folder, acknowledged):
    acknowledged_through = through = int(read(acknowledged, "0").strip() or 0)
    lines, size = [], 0
    for block in filter(None, re.split("(?m)^(?=agent\t)", read(f"{folder}/outbox", ""))):
        revision = int(block.split("\t")[1])
        if revision > acknowledged_through:
            if size + len(block) > MAX_REPORT and lines:
                break
            size += len(block)
            through = revision
            lines.append(block)
    if lines:
        print(f"agents\t{through}")
        sys.stdout.write("".join(lines))


# A session as the receiver answers it, for a terminal: no control characters of anybody reach it.
def show(session):
    def plain(value):
        text = value if isinstance(value, str) else json.dumps(value)
        return "".join(letter if letter.isprintable() else " " for letter in text)

    for item in map(insights_summary.snaked, session["talk"]):
        if item.get("type") == "message":
            parts = [part.get("text", "") if isinstance(part, dict) else part for part in item.get("content") or []]
            print(f"{str(item.get('role')).lower():<10} {plain(' '.join(map(str, parts)))}")
        elif item.get("type") == "function_call":
            print(f"{'tool':<10} {plain(item.get('name'))} {plain(item.get('arguments'))}")
        elif item.get("type") == "function_call_output":
            print(f"{'failed' if item.get('is_error') else 'answer':<10} {plain(item.get('output'))}")


command, arguments = (sys.argv[1:2] or [""])[0], sys.argv[2:]
if command == "serve" and len(arguments) == 4:
    serve(arguments[0], int(arguments[1]), int(arguments[2]), float(arguments[3]))
elif command == "report" and len(arguments) == 2:
    report(*arguments)
elif command == "show" and not arguments:
    try:
        show(json.load(sys.stdin))
    except (ValueError, KeyError):
        sys.exit(1)
else:
    print("Usage: insights.py serve FOLDER PORT DAYS GIGABYTES | report FOLDER FILE | show", file=sys.stderr)
    sys.exit(64)
