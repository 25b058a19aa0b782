import glob, gzip, hashlib, ipaddress, json, os, re, secrets, shutil, socket, ssl, subprocess, sys, time
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener, urlopen

ROOT, HERE, RUN = sys.argv[1], "/opt/livekit-connect/", "/run/livekit-connect/"
SESSIONS = "/opt/livekit-sessions/"

def read(path):
  try:
    with open(ROOT + path, errors="replace") as file: return file.read().strip()
  except OSError: return ""

def write(path, text):
  with open(ROOT + path + ".new", "w") as file: file.write(f"{text}\n")
  os.replace(ROOT + path + ".new", ROOT + path)

def fetch(server, port, path):
  """Of LiveKit itself, so by no proxy."""
  try: return build_opener(ProxyHandler({})).open(f"http://{server['reach'](port)}{path}", timeout=5).read(4_000_000).decode()
  except (OSError, ValueError): return ""

def at(tree, *path):
  for name in path: tree = tree.get(name) if isinstance(tree, dict) else None
  return tree or ""

NAMES = {"room_total": "rooms", "participant_total": "participants", "packet_loss_percent_sum": "loss-sum",
  "packet_loss_percent_count": "loss-count", "jitter_us_sum": "jitter-sum", "jitter_us_count": "jitter-count"}

def metrics(server):
  text, sums = server["metrics"] and fetch(server, server["metrics"], "/metrics"), {}
  for name, labels, value in re.findall(r"^livekit_(\w+)(\{.*\})? (\S+)$", text, re.M):
    # A refused token counts for nothing: those who try ports make such joins too.
    if name == "participant_join_total" and re.search(r'"(signal_(upgrade_|write_initial_response_)?failed|rtc_failure)"', labels): name = "joins-failed"
    name = at(NAMES, name) or name
    if "_" not in name: sums[name] = sums.get(name, 0) + float(value)
  yield from (("metric", name, f"{value:.2f}") for name, value in sums.items())
  node, since = re.findall(r'node_id="([^"]+)"', text), re.findall(r"^process_start_time_seconds (\S+)$", text, re.M)
  if node and since: yield "node", node[0], int(float(since[0]))

def digest(text): return hashlib.sha256(text.encode()).hexdigest()

def report_text(seq): return "".join("\t".join(re.sub(r"[^ -~]", "?", str(field))[:400] for field in each) + "\n" for each in records(seq))

def call(path, credential, text):
  """Status and lines of the answer, none of which is evaluated; 0 without an answer."""
  headers = {"Authorization": "Bearer " + read(HERE + credential), "Content-Type": "text/plain", "Content-Encoding": "gzip", "User-Agent": "livekit-connect"}
  try:
    try: answer = urlopen(Request(read(HERE + "console-url") + path, gzip.compress(text.encode()), headers), timeout=20)
    except HTTPError as error: answer = error
    lines = answer.read(65536).decode(errors="replace").split("\n")
  except (OSError, ValueError) as error: return 0, {"say": f"The console did not answer: {error}."}
  # A proxy's page may come instead.
  if lines[0] != "livekit-deploy 1": return 0, {"say": "Somebody else answered in the console's place."}
  return answer.status, dict(line.split(" ", 1) for line in lines if " " in line)

def body(*lines): return "".join(f"{name} {value}\n" for name, value in (*lines, *identity()))

def enrol():
  secret = read(HERE + "server.key.pending") or secrets.token_hex(22)[:43]
  # Stored first: after a lost answer the same token with the same secret is answered again.
  write(HERE + "server.key.pending", secret)
  name = re.sub(r"[^A-Za-z0-9.-]", "", os.uname().nodename)[:63] or "livekit"
  status, answer = call("/v1/enrol", "token", body(("key-hash", digest(secret)), ("name", name)))
  key = f"{at(answer, 'key-prefix')}{secret}_{at(answer, 'key-tag')}"
  if status == 200 and re.fullmatch(r"lkd_s_\w+", key):
    write(HERE + "server.key", key)
    for name in ("server.key.pending", "token"): os.remove(ROOT + HERE + name)
    return 0
  print("Not connected.", at(answer, "say"), file=sys.stderr)
  return 3 if status in (400, 401, 403, 409, 410) else 1

def report():
  up, before = int(float(read("/proc/uptime").split()[0])), int(read(RUN + "not-before") or 0)
  # In seconds since the boot: clocks may be set back.
  if 0 < before - up <= 86400: return 0
  write(RUN + "seq", int(read(RUN + "seq") or 0) + 1)
  status, answer = call("/v1/report", "server.key", report_text(read(RUN + "seq")))
  if at(answer, "events"): sessions("", "acknowledge", *answer["events"].split())
  wait = {401: "3600", 410: "3600", 409: "300"}.get(status, at(answer, "not-before"))
  if re.fullmatch(r"[1-9]\d{0,5}", wait): write(RUN + "not-before", up + min(int(wait), 86400))
  write(RUN + "answer", "taken" if status == 200 else "not taken. " + re.sub(r"[^ -~]", "", at(answer, "say")))
  return status != 200
