#!/usr/bin/env python3
# What a machine of a cluster asks the others.
# cluster.py watch                 on a media machine, for as long as it runs: starts LiveKit anew when Redis has lost its data
# cluster.py redis HOST:PORT       with the password on standard input. Prints "ok SECONDS", by which its clock differs from
#                                  ours, or "loading", "refused", "silent"
# cluster.py reach HOST:PORT...    prints a line for each: HOST:PORT, and "ok" or "silent"
# Exit: 0 asked, 1 not, 64 usage.
import concurrent.futures
import os
import re
import socket
import subprocess
import sys
import time

ROOT = os.environ.get("LIVEKIT_DEPLOY_ROOT", "")
HERE = f"{ROOT}/opt/livekit"
SECONDS = 3
KEY = "livekit-deploy:dataset"


class Refusal(Exception):
    pass


# A connection to Redis, for as long as it holds. Whoever uses it gets OSError where Redis is away, Refusal where it says no.
class Redis:
    def __init__(self, host, port, password):
        self.socket = socket.create_connection((host, port), SECONDS)
        self.lines = self.socket.makefile("rb")
        self.call("AUTH", password)

    # The answers that are used here: a line, a number, a text, or a list of them.
    def call(self, *words):
        parts = [word.encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts))
        return self.answer()

    def answer(self):
        line = self.lines.readline(4096)
        if not line.endswith(b"\r\n"):
            raise OSError("the connection was closed")
        kind, text = line[:1], line[1:-2].decode(errors="replace")
        if kind == b"-":
            raise Refusal(text)
        if kind == b"$" and text != "-1":
            size = int(text)
            if size > 4096:
                raise OSError("the answer is too long")
            return self.lines.read(size + 2)[:-2].decode(errors="replace")
        if kind == b"*" and text != "-1":
            return [self.answer() for _ in range(min(int(text), 16))]
        return None if text == "-1" else text

    def close(self):
        self.lines.close()
        self.socket.close()


def address(text):
    host, _, port = text.rpartition(":")
    return host, int(port)


# What Redis says of itself, as one word and for "ok" the seconds by which its clock differs.
def condition(host, port, password):
    try:
        redis = Redis(host, port, password)
        try:
            before = time.time()
            seconds, micros = redis.call("TIME")
            there = int(seconds) + int(micros) / 1e6
            return f"ok {there - (before + time.time()) / 2:.1f}"
        finally:
            redis.close()
    except Refusal as refusal:
        return "loading" if str(refusal).startswith("LOADING") else "refused"
    except (OSError, ValueError, TypeError):
        return "silent"


def reach(text):
    try:
        socket.create_connection(address(text), SECONDS).close()
        return f"{text} ok"
    except OSError:
        return f"{text} silent"


# The value of a line in .env or secrets.env, with or without quotes.
def setting(file, name):
    try:
        with open(f"{HERE}/{file}", encoding="utf-8", errors="replace") as lines:
            found = re.search(rf"^{name}='?([^'\n]*)'?$", lines.read(), re.MULTILINE)
    except OSError:
        return ""
    return found.group(1) if found else ""


# Which process of LiveKit runs, by its own figures; None where none does, and the former one where it is only slow.
def process(former, port):
    try:
        with socket.create_connection(("127.0.0.1", port), SECONDS) as stream:
            stream.settimeout(SECONDS)
            stream.sendall(b"GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            text = b"".join(iter(lambda: stream.recv(65536), b""))
    except ConnectionRefusedError:
        return None
    except OSError:
        return former
    started = re.search(rb"^process_start_time_seconds (\S+)", text, re.MULTILINE)
    return started.group(1) if started else former


# What is known of Redis's data: the value that was there first since this process of LiveKit began.
class Dataset:
    def __init__(self):
        self.process = None
        self.value = None

    # Whether LiveKit has rooms that the Redis of now does not know. The first value counts that was read after this process
    # was seen: one that was read just before may be that of a Redis before its loss.
    def is_lost(self, running, value):
        if running != self.process:
            self.process, self.value = running, None
        elif self.value is None:
            self.value = value
        return self.value not in (None, value)


def say(text):
    print(text, flush=True)


# A room that LiveKit has and Redis does not know could begin a second time on another machine. So LiveKit is killed, whose
# clients then come back by themselves, and is not stopped, which would send them away. While it drains it only ends.
def restart():
    say("Redis has lost its data: LiveKit begins anew, so that no room is there twice.")
    compose = ["docker", "compose"]
    subprocess.run([*compose, "kill", "-s", "KILL", "livekit"], cwd=HERE, stdin=subprocess.DEVNULL, check=False)
    if not os.path.exists(f"{HERE}/state/draining"):
        subprocess.run([*compose, "start", "livekit"], cwd=HERE, stdin=subprocess.DEVNULL, check=False)


# One turn: the value that Redis has, or that it got from us. A Redis that is away, starts or refuses changes nothing.
def watch(port, metrics, seconds):
    dataset, redis, trouble = Dataset(), None, ""
    while True:
        try:
            if redis is None:
                redis = Redis(setting(".env", "EDGE_ADDRESS"), port, setting("secrets.env", "REDIS_PASSWORD"))
            made = os.urandom(16).hex()
            value = redis.call("SET", KEY, made, "NX", "GET") or made
            now = ""
        except (OSError, Refusal, ValueError) as error:
            value = None
            now = f"Redis of the edge: {error}"
            if redis:
                redis.close()
            redis = None
        if now != trouble:
            say(now or "Redis of the edge answers.")
            trouble = now
        running = process(dataset.process, metrics)
        # While Redis is away LiveKit may begin anew: then its first value is the next one.
        if dataset.is_lost(running, value or dataset.value):
            restart()
            dataset = Dataset()
        time.sleep(seconds)


def main(arguments):
    command, rest = arguments[:1], arguments[1:]
    if command == ["watch"] and len(rest) in (0, 3):
        # The ports and the pause are other ones in tests only.
        port, metrics, seconds = rest or ("6379", "6789", "2")
        if setting(".env", "COMPOSE_PROFILES") != "media":
            return 0
        watch(int(port), int(metrics), float(seconds))
    elif command == ["redis"] and len(rest) == 1:
        print(condition(*address(rest[0]), sys.stdin.readline().rstrip("\n")))
    elif command == ["reach"] and rest:
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            print("\n".join(pool.map(reach, rest)))
    else:
        return 64
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
