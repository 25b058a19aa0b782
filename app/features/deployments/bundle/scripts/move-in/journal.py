# What is kept before each change, so that the way back leads to exactly what was there.

def put(path, text, mode=0o600):
  """After a power loss the file has either its old or its whole new content."""
  with open(ROOT + path + ".new", "w") as file:
    os.fchmod(file.fileno(), mode)
    file.write(text)
    file.flush()
    os.fsync(file.fileno())
  os.replace(ROOT + path + ".new", ROOT + path)

def note(**entry):
  """A line of the journal, which is on the disk before what it is about is changed."""
  with open(ROOT + JOURNAL + "/journal", "a") as file:
    file.write(json.dumps(entry) + "\n")
    file.flush()
    os.fsync(file.fileno())

def entries():
  found = []
  for line in read(JOURNAL + "/journal").split("\n"):
    # A line that a power loss cut off is about a change that was not made.
    try: found.append(json.loads(line))
    except ValueError: break
  return found

def copy(source, target):
  """With mode, owner, times and what else the file system knows of it."""
  shutil.copy2(source, target + ".new", follow_symlinks=False)
  it = os.stat(source)
  os.chown(target + ".new", it.st_uid, it.st_gid)
  with open(target + ".new", "rb") as file: os.fsync(file.fileno())
  os.replace(target + ".new", target)

class Record:
  """Writes into the journal how paths are."""
  def __init__(self):
    self.paths = set()
  def save(self, path):
    if path in self.paths: return
    if not os.path.lexists(ROOT + os.path.dirname(path)): self.save(os.path.dirname(path))
    self.paths.add(path)
    if not os.path.lexists(ROOT + path): return note(kind="absent", path=path)
    it = os.lstat(ROOT + path)
    attributes = {"path": path, "mode": stat.S_IMODE(it.st_mode), "uid": it.st_uid, "gid": it.st_gid}
    if stat.S_ISLNK(it.st_mode): note(kind="link", target=os.readlink(ROOT + path), **attributes)
    elif stat.S_ISDIR(it.st_mode): note(kind="folder", **attributes)
    else:
      copy(ROOT + path, f"{ROOT}{JOURNAL}/saved/{len(self.paths)}")
      note(kind="file", saved=len(self.paths), **attributes)
  def save_all(self, path):
    self.save(path)
    for folder, folders, names in os.walk(ROOT + path):
      for name in sorted(folders + names): self.save(os.path.join(folder, name)[len(ROOT):])

def targets(): return [line.split(" ") for line in bundled("files.txt").split("\n") if re.fullmatch(r"0[0-7]{3} [\w.-]+ /(opt/livekit|etc|usr/bin)/[\w./-]+", line) and ".." not in line]

UNITS = "/etc/systemd/system"
# What a version has outside its folder, also a later one than this. What else tools, timers and first-boot.sh write is below.
VERSION = ("/usr/bin/livekit-deploy", "/etc/livekit/*", UNITS + "/livekit*.service", UNITS + "/livekit*.timer", "/etc/sysctl.d/60-livekit.conf", "/etc/ssh/sshd_config.d/10-livekit.conf",
  "/etc/apt/apt.conf.d/52livekit", "/etc/audit/rules.d/50-livekit.rules", "/etc/systemd/coredump.conf.d/50-livekit.conf", "/var/lib/systemd/timers/stamp-livekit-*")
TOOLS = ("/etc/docker/daemon.json", "/usr/local/lib/docker/cli-plugins/docker-compose", "/usr/bin/age")
RULES = ("/etc/iptables/rules.v4", "/etc/iptables/rules.v6")
DATA = {"/var/backups/livekit": "backups", "/var/lib/private/livekit-insights": "agent-insights", "/var/lib/livekit-insights": "agent-insights-link"}
IS_OTHERS = re.compile(r"/livekit-(move-in|connect|sessions)\.")

def links_of(name, text):
  """Where systemd links a unit that it enables, and where it is linked now."""
  wanted = re.findall(r"^(WantedBy|RequiredBy)=(.*)$", text, re.M)
  return [f"{UNITS}/{each}.{'wants' if setting == 'WantedBy' else 'requires'}/{name}" for setting, words in wanted for each in words.split()] + files(f"{UNITS}/*/{name}")

def name_aside(): put(JOURNAL + "/aside", HERE + time.strftime(".moved-out-%Y-%m-%d-%H%M%S") + "\n")

def begin():
  """From here on the next boot goes back, until the side is ours."""
  # What is left of an earlier journal is about changes that are undone.
  forget()
  os.makedirs(ROOT + JOURNAL + "/bundle", 0o700, exist_ok=True)
  os.chmod(ROOT + JOURNAL, 0o700)
  os.makedirs(ROOT + JOURNAL + "/saved", 0o700, exist_ok=True)
  for name in {"files.txt", "move-in.sh", "move-in.py", *(name for _, name, _ in targets()), "secrets.env"}:
    if name != "secrets.env" or os.path.exists(os.path.join(FOLDER, name)): shutil.copy(os.path.join(FOLDER, name), ROOT + JOURNAL + "/bundle/" + name)
  name_aside()
  put(JOURNAL + "/side", "theirs\n")
  if guard(): return
  unguard()
  forget()
  refuse("The unit that goes back after a power loss could not be enabled.")

def guard():
  put(UNITS + "/livekit-move-in.service", f"""[Unit]
Description=Ends a move that was interrupted
After=docker.service local-fs.target
Before=livekit.service

[Service]
Type=oneshot
ExecStart=/bin/sh {JOURNAL}/bundle/move-in.sh --boot
TimeoutStartSec=30min

[Install]
WantedBy=multi-user.target
""", 0o644)
  os.sync()
  succeeds("systemctl", "daemon-reload")
  return succeeds("systemctl", "enable", "livekit-move-in.service")

def unguard():
  succeeds("systemctl", "disable", "livekit-move-in.service")
  for path in files(UNITS + "/*/livekit-move-in.service", UNITS + "/livekit-move-in.service"): os.remove(ROOT + path)
  succeeds("systemctl", "daemon-reload")

def record(it):
  journal = Record()
  for line in bundled("sysctl.conf").split("\n"):
    name, _, value = line.partition(" = ")
    if value: note(kind="setting", name=name, value=run("sysctl", "-n", name))
  if "iptables" in bundled("livekit-firewall.service"):
    for command in ("iptables", "ip6tables"):
      for rule in re.findall(r"^-A (INPUT -j REJECT.*)$", run(command, "-S", "INPUT"), re.M): note(kind="rule", command=command, rule=rule)
  for each in it["containers"]:
    policy = at(each, "HostConfig", "RestartPolicy")
    times = at(policy, "MaximumRetryCount")
    note(kind="container", id=each["Id"], name=each["Name"].lstrip("/"), running=at(each, "State", "Status") == "running", restart=(at(policy, "Name") or "no") + (f":{times}" if times else ""), maker=maker(each, it["units"]))
  for name, path in it["units"].items():
    note(kind="unit", name=name, active=run("systemctl", "is-active", name) == "active")
    for each in [path, *links_of(name, read(path))]:
      if each.startswith(UNITS): journal.save(each)
  for path in [*(path for _, _, path in targets() if not path.startswith(HERE + "/")), *files(*VERSION), *TOOLS, *RULES, *DATA]:
    # What is there already stays as it is.
    if IS_OTHERS.search(path) or path in TOOLS and os.path.lexists(ROOT + path): continue
    if path in DATA: journal.save(path)
    elif os.path.isdir(ROOT + path) and not os.path.islink(ROOT + path): journal.save_all(path)
    else: journal.save(path)
    if path.startswith(UNITS):
      name = os.path.basename(path)
      content = bundled(name) if os.path.exists(os.path.join(FOLDER, name)) else ""
      for each in links_of(name, content): journal.save(each)
      # What they set in addition to a unit of that name is none of ours.
      if os.path.isdir(ROOT + path + ".d"): journal.save_all(path + ".d")
  keys = dict(zip(("LIVEKIT_API", "LIVEKIT_OLD_API"), it["keys"]))
  put(JOURNAL + "/keys", "".join(f"{name}_KEY='{key}'\n{name}_SECRET='{secret}'\n" for name, (key, secret) in keys.items()))
  port = (at(settings(it["server"]["text"]), "port") or "7880") + "/tcp"
  if any(each[0] == port for each in listeners()): note(kind="port", port=port)
  note(kind="place", existed=os.path.lexists(ROOT + HERE), has_project="livekit" in it["projects"])

def stop():
  """Stops what is theirs, so that nothing starts it again while ours is here."""
  stopped = [each["name"] for each in entries() if each["kind"] == "unit"]
  for each in entries():
    if each["kind"] == "unit" and each["active"] and not succeeds("systemctl", "stop", each["name"]): sys.exit(f"{each['name']} did not stop.")
  # "disable" would change what nobody has noted, such as the links of a unit's script in /etc/rc0.d.
  for each in entries():
    if each["kind"] == "link" and re.fullmatch(UNITS + r"/[^/]+\.(wants|requires)/[^/]+", each["path"]) and os.path.basename(each["path"]) in stopped and os.path.lexists(ROOT + each["path"]): os.remove(ROOT + each["path"])
  for each in entries():
    # A unit may have removed its containers.
    if each["kind"] != "container" or not succeeds("docker", "inspect", each["id"]): continue
    if not succeeds("docker", "update", "--restart=no", each["id"]): sys.exit(f"{each['name']} would be started again at the next boot.")
    if each["running"] and not succeeds("docker", "stop", each["id"]): sys.exit(f"{each['name']} did not stop.")

def make_folders(path):
  """Those that are missing, for everybody to read."""
  if os.path.isdir(ROOT + path): return
  make_folders(os.path.dirname(path))
  os.mkdir(ROOT + path)
  os.chmod(ROOT + path, 0o755)

def exchange():
  place = next(each for each in entries() if each["kind"] == "place")
  if place["existed"] and not os.path.lexists(ROOT + FORMER): os.rename(ROOT + HERE, ROOT + FORMER)
  for each in entries():
    path = at(each, "path")
    # Their own units of our names, and what they set in addition to one, would be taken for ours.
    if path.startswith(UNITS + "/livekit") and os.path.lexists(ROOT + path) and each["kind"] in ("file", "link"): os.remove(ROOT + path)
  make_folders(HERE)
  # Containers of a project of that name are theirs, and would be ours' to remove.
  if place["has_project"]: put(HERE + "/.env", "COMPOSE_PROJECT_NAME=livekit-deploy\n", 0o644)
  for mode, name, path in targets():
    if name == "secrets.env" or path in TOOLS and os.path.exists(ROOT + path): continue
    make_folders(os.path.dirname(path))
    put(path, bundled(name), int(mode, 8))
  given = bundled("secrets.env") if os.path.exists(os.path.join(FOLDER, "secrets.env")) else ""
  keys = read(JOURNAL + "/keys")
  of_keys = tuple(assignments(keys))
  put(HERE + "/secrets.env", "".join(line + "\n" for line in given.split("\n") if line and not line.startswith(of_keys or ("\n",))) + (keys and keys + "\n"))
  os.sync()
