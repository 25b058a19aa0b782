#!/usr/bin/env python3
# Sends the console the times of sessions of this machine's LiveKit, which livekit-connect.sh has connected to it.
#   sudo python3 livekit-sessions.py install     says what it does, and asks first
#   sudo /opt/livekit-sessions/livekit-sessions find NAME | remove
# LiveKit's events come to an address of this machine and wait there in files, which a user of their own writes and root
# reads. A report has of them what sessions.py below lists: ids, times and kinds, and hashes in the place of names. The
# key of these hashes stays here. Of LiveKit it changes nothing: it prints the lines that its configuration needs.
import contextlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def module(name, source):
    sys.modules[name] = types.ModuleType(name)
    exec(compile(source, f"{name}.py", "exec"), sys.modules[name].__dict__)


module("evidence", "def network(*_): pass")
# What follows are modules of the servers that we make, word for word.
@MODULES@

ROOT = os.environ.get("LIVEKIT_CONNECT_ROOT", "")
PLACE = "/opt/livekit-sessions"
PROGRAM = f"{PLACE}/livekit-sessions"
UNIT = f"{ROOT}/etc/systemd/system/livekit-sessions.service"
WANTED = f"{ROOT}/etc/systemd/system/multi-user.target.wants"
STATE = f"{ROOT}/var/lib/livekit-sessions"
# A file of the spool is full at ten megabytes; five full ones stay.
FULL, FULL_FILES, MOST_BODY = 10_485_760, 5, 262_144

UNIT_TEXT = """[Unit]
Description=Takes LiveKit's events for the console
[Service]
ExecStart={program} listen {address}
Restart=always
RestartSec=10
DynamicUser=yes
StateDirectory=livekit-sessions
StateDirectoryMode=0700
UMask=0077
ProtectHome=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET
CapabilityBoundingSet=
MemoryMax=128M
[Install]
WantedBy=multi-user.target
"""

import sessions  # noqa: E402

sessions.SPOOL = STATE
sessions.STATE = f"{ROOT}{PLACE}/spool.json"
sessions.KEY = f"{ROOT}{PLACE}/session-names.key"


def fail(words):
    sys.exit(f"{words} Nothing was changed.")


def systemctl(*arguments):
    subprocess.run(["systemctl", *arguments], check=False, capture_output=True)


class Events(BaseHTTPRequestHandler):
    """Writes each event with its signature into the spool, as it came. Who signed it is found out when it is read."""

    protocol_version = "HTTP/1.1"
    timeout = 10
    writing = threading.Lock()

    def do_POST(self):
        length = sessions.number(self.headers.get("Content-Length", ""))
        jwt = self.headers.get("Authorization", "")
        # LiveKit's own type: no page in a browser may send it here unasked, also not one that Egress opens.
        is_event = self.path == "/events" and self.headers.get("Content-Type", "") == "application/webhook+json" and jwt
        if not is_event or length > MOST_BODY:
            # What follows was not read, so it is no request.
            self.close_connection = True
            return self.answer(413 if is_event else 404)
        try:
            entry = {"ts": time.time() * 1000, "jwt": jwt, "event": self.rfile.read(length).decode()}
            with self.writing:
                self.spool(json.dumps(entry) + "\n")
        except UnicodeDecodeError:
            return self.answer(400)
        except OSError as error:
            print(f"An event was not taken: {error}", file=sys.stderr)
            return self.answer(503)
        return self.answer(200)

    def spool(self, line):
        path = f"{STATE}/events.log"
        with contextlib.suppress(FileNotFoundError):
            if os.path.getsize(path) + len(line) > FULL:
                now = time.time()
                name = time.strftime("%Y-%m-%dT%H-%M-%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03}"
                os.rename(path, f"{STATE}/events-{name}-size.log")
                for former in sorted(each for each in os.listdir(STATE) if each.startswith("events-"))[:-FULL_FILES]:
                    os.remove(f"{STATE}/{former}")
        with open(path, "a") as file:
            file.write(line)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Nothing of a request is logged."""


class Receiver(ThreadingHTTPServer):
    """Reads sixteen requests at once, whoever opens more."""

    places = threading.BoundedSemaphore(16)

    def process_request_thread(self, *arguments):
        with self.places:
            super().process_request_thread(*arguments)


def listen(address):
    host, port = address.split(":")
    Receiver((host, int(port)), Events).serve_forever()


def report():
    """The lines of a report. LiveKit's keys come by standard input, each as `KEY: SECRET`, and from its unit."""
    with open(f"{ROOT}{PLACE}/unit", encoding="utf-8") as file:
        unit = file.read().strip()
    pairs = dict(re.findall(r"([\w-]+): *([^\s,{}]+)", sys.stdin.read() + (environment_of(unit) if unit else "")))
    sessions.signers = lambda: pairs
    sessions.main("report", "hashed")


def environment_of(unit):
    """LIVEKIT_KEYS of a unit: in itself, its drop-ins and its files."""
    text = output("systemctl", "show", unit, "-p", "Environment", "-p", "EnvironmentFiles")
    lines = [word for line in re.findall("^Environment=(.*)$", text, re.M) for word in shlex.split(line)]
    for path in re.findall("^EnvironmentFiles=(.*?)(?: \\(ignore_errors=.*)?$", text, re.M):
        with contextlib.suppress(OSError), open(ROOT + path, encoding="utf-8", errors="replace") as file:
            lines += file
    return "".join(f"\n{line.split('=', 1)[1]}" for line in lines if line.startswith("LIVEKIT_KEYS=")).replace('"', "").replace("'", "")


def acknowledge(*arguments):
    """Full files that the console has are removed, since there are names in them."""
    sessions.main("acknowledge", *arguments)
    place, found = sessions.read_state()["events"]["place"]["file"], sessions.spool.files(STATE, "events")
    for identifier in list(found)[: list(found).index(place)] if place in found else []:
        os.remove(found[identifier])


def found_layout():
    """What livekit-connect finds here: kind, where, configuration, name, user, tool."""
    try:
        printed = output(f"{ROOT}/opt/livekit-connect/livekit-connect", "print")
    except OSError:
        fail("Connect this machine first, by livekit-connect.sh, and run this with sudo.")
    lines = [line.split("\t") for line in printed.split("\n")]
    return next((line[1:] for line in lines if line[0] == "layout" and line[1] != "none"), None) or fail("LiveKit was not found.")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def host_of(kind, user, tool, name):
    """Where LiveKit finds this machine: from a network of containers by its gateway."""
    if user:
        fail("LiveKit runs in a container without root, which reaches no address of this machine that is closed to others.")
    if not tool:
        return "127.0.0.1"
    names = output(tool, "ps", "-aq", "--filter", f"label=com.docker.compose.service={name}").split() if kind == "compose" else [name]
    gateways = output(tool, "inspect", "-f", "{{range .NetworkSettings.Networks}}{{.Gateway}} {{end}}", *names).split()
    return gateways[0] if gateways else "127.0.0.1"


def free_port(host):
    for port in range(6787, 6797):
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind((host, port))
            return port
    return fail(f"No port from 6787 to 6796 is free at {host}.")


def install():
    if os.path.exists(f"{ROOT}{PLACE}"):
        fail(f"It is installed already: {PROGRAM} remove takes it away.")
    kind, where, config, name, user, tool = found_layout()[:6]
    host = host_of(kind, user, tool, name)
    address = f"{host}:{free_port(host)}"
    print(
        f"This writes {PLACE} and livekit-sessions.service, which takes LiveKit's events at {address}.\n"
        "The console gets the times of sessions, with hashes in the place of names; their key stays here.\n"
        "Type yes to go on: ",
        end="",
        flush=True,
    )
    if sys.stdin.readline().strip() != "yes":
        fail("That was no yes.")
    # systemd makes these where they are missing.
    missing = [folder for folder in (WANTED, f"{ROOT}/var/lib/private") if not os.path.isdir(folder)]
    os.umask(0o022)
    os.makedirs(f"{ROOT}{PLACE}")
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    for path, content, mode in (
        (f"{ROOT}{PLACE}/made", "".join(f"{each}\n" for each in missing), 0o600),
        (f"{ROOT}{PROGRAM}", text, 0o755),
        (f"{ROOT}{PLACE}/address", f"{address}\n", 0o644),
        (f"{ROOT}{PLACE}/unit", f"{name if kind == 'systemd' else ''}\n", 0o644),
        (UNIT, UNIT_TEXT.format(program=PROGRAM, address=address), 0o644),
    ):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        os.chmod(path, mode)
    systemctl("daemon-reload")
    systemctl("enable", "--now", "livekit-sessions.service")
    print(
        f"Now LiveKit's configuration {config or f'in {where}'} needs these lines, and LiveKit a restart:\n"
        "webhook:\n  api_key: YOUR-API-KEY  # one of those under keys\n"
        f"  urls: [http://{address}/events]  # beside those that are there"
    )


def remove():
    with open(f"{ROOT}{PLACE}/made", encoding="utf-8") as file:
        made = file.read().split()
    systemctl("disable", "--now", "livekit-sessions.service")
    for path in (UNIT, f"{WANTED}/livekit-sessions.service", STATE):
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            os.remove(path)
    for folder in (f"{ROOT}{PLACE}", f"{ROOT}/var/lib/private/livekit-sessions", STATE):
        shutil.rmtree(folder, ignore_errors=True)
    for folder in made:
        with contextlib.suppress(OSError):
            os.rmdir(folder)
    systemctl("daemon-reload")
    print("Removed. Take its address out of LiveKit's configuration too.")


command, arguments = (sys.argv[1:2] or [""])[0], sys.argv[2:]
commands = {"install": install, "remove": remove, "report": report, "listen": listen, "acknowledge": acknowledge}
if command in commands:
    commands[command](*arguments)
elif command == "find":
    sys.exit(sessions.main(command, *arguments))
else:
    sys.exit("Usage: livekit-sessions install | find NAME | remove")
