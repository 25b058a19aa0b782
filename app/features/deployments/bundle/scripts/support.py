#!/usr/bin/env python3
# Prints what helps to find a fault, without secrets and without the names, words and addresses of people.
# support.py   Exit: 0.
import json
import os
import re
import subprocess

ROOT = os.environ.get("LIVEKIT_DEPLOY_ROOT", "")
HERE = f"{ROOT}/opt/livekit"
# Lines of deployment.env that hold no address of somebody's own.
SETTINGS = (
    "ADDRESSES BACKUPS BACKUP_KEEP DOMAIN DRAIN_MINUTES MONITORING PROXY PUBLIC_PORTS RECORDING REDIS SERVICES SYSTEM"
    " TURN_DOMAIN TURN_TLS TURN_UDP TURN_UDP_PORT WEBHOOKS"
).split()
# Fields of a log line of LiveKit's. Others may name a room, a participant or an address.
FIELDS = "ts level logger caller msg status statusCode reason error err".split()
SECRET_FILES = ["secrets.env", "backup-keys.env", "dns.env", "agent.env", "state/agent-key.env", "server.key", "session-names.key", "enrolment-token"]


def content(path):
    try:
        with open(f"{HERE}/{path}", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


# Every value that is secret here, the longest first, since one may be a part of another.
def secrets():
    values = set()
    for path in SECRET_FILES:
        for line in content(path).splitlines():
            value = line.partition("=")[2] if re.match(r"[A-Z0-9_]+=", line) else line
            values.add(value.strip().strip("'\""))
    return sorted((value for value in values if len(value) >= 6), key=len, reverse=True)


SECRETS = secrets()
RULES = [
    (r"eyJ[\w=-]+\.[\w=-]+\.[\w=-]*", "[token]"),
    (r"([a-z][a-z0-9+.-]*://)(?:[^/@\s]*@)?([^/\s\"'?#]+)[^\s\"']*", r"\1\2/[path]"),
    (r"[\w.+%-]+@[\w-]+\.[\w.-]+", "[mail address]"),
    (r"\b(?!127\.0\.0\.1\b)\d{1,3}(?:\.\d{1,3}){3}\b", "[address]"),
    # Of IPv6; a time of the day has two colons.
    (r"(?:[0-9a-fA-F]{1,4}:){4,7}[0-9a-fA-F]{1,4}|[0-9a-fA-F:]*::[0-9a-fA-F:]*", "[address]"),
    (r"\"[^\"]*\"", '"[text]"'),
    (r"[\w+/=-]{40,}", "[long text]"),
]


def clean(text):
    for value in SECRETS:
        text = text.replace(value, "[secret]")
    for pattern, instead in RULES:
        text = re.sub(pattern, instead, text)
    return text


def output(*command):
    try:
        done = subprocess.run(command, cwd=HERE, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"({command[0]}: {error.__class__.__name__})"
    return (done.stdout + done.stderr).decode("utf-8", "replace")


# A line of JSON becomes those of its fields that name nobody. Another line stays, cleaned.
def log_line(line):
    start = line.find("{")
    try:
        entry = json.loads(line[start:]) if start >= 0 else None
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        return clean(line)
    return " ".join(clean(str(entry[field])) for field in FIELDS if field in entry)


def section(title, text):
    print(f"\n== {title}\n{text.rstrip() or '(nothing)'}")


print("Made by livekit-deploy support. Secrets, and what people and rooms are called, are left out.")
settings = [line for line in content("deployment.env").splitlines() if line.partition("=")[0] in SETTINGS]
section("Deployment", "\n".join([*content("version.txt").splitlines()[:1], *settings]))
system = [line for line in content("../../etc/os-release").splitlines() if line.startswith("PRETTY_NAME=")]
section("Machine", "\n".join([*system, output("uname", "-srm"), output("df", "-h", "/"), output("free", "-m")]))
section("Services", clean(output("docker", "compose", "ps", "-a", "--format", "table {{.Service}}\t{{.Image}}\t{{.Status}}")))
section("Units", clean(output("systemctl", "list-units", "--all", "--no-legend", "--no-pager", "livekit*")))
# The names and addresses that the doctor shows are the deployment's own.
section("Doctor", output(f"{HERE}/bin/doctor.sh", "--report"))
for service in re.findall(r"SERVICES='?([a-z,-]*)", content("deployment.env"))[:1]:
    for name in service.split(","):
        # What an agent worker writes is not ours to know.
        if name in ("", "agent"):
            continue
        lines = output("docker", "compose", "logs", "--no-color", "--no-log-prefix", "--tail", "200", name).splitlines()
        section(f"Log of {name}", "\n".join(log_line(line) for line in lines))
journal = output("journalctl", "--no-pager", "-o", "short-iso", "-n", "300", "-u", "livekit*")
section("Journal", "\n".join(clean(line) for line in journal.splitlines()))
