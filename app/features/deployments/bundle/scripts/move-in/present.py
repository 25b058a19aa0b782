# What runs on this machine: the LiveKit that is meant, its API keys, and what stops while ours takes its place.
# move-in.sh runs this program, and no other. Secrets are in no output and no argument.
import argparse, errno, glob, json, os, re, shlex, shutil, stat, subprocess, sys, time

ROOT, FOLDER = os.environ.get("LIVEKIT_DEPLOY_ROOT", ""), os.path.dirname(os.path.abspath(__file__))
HERE, FORMER, JOURNAL = "/opt/livekit", "/opt/livekit.before-move-in", "/var/lib/livekit-move-in"

def read(path):
  try:
    with open(ROOT + path, errors="replace") as file: return file.read().strip()
  except OSError: return ""

def at(tree, *path):
  for name in path: tree = tree.get(name) if isinstance(tree, dict) else None
  return tree or ""

def succeeds(*command, **more):
  try: return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more).returncode == 0
  except OSError: return False

def refuse(words): sys.exit(words + " Nothing was changed.")

def bundled(name):
  try:
    with open(os.path.join(FOLDER, name)) as file: return file.read()
  except OSError: refuse(f"{name} is missing beside move-in.sh: unpack the whole zip.")

def assignments(text):
  """NAME=value of each line, as a shell reads it."""
  found = {}
  for line in text.split("\n"):
    try: words = shlex.split(line, comments=True)
    except ValueError: continue
    found.update(word.split("=", 1) for word in words if "=" in word)
  return found

def present_livekit(name):
  """The LiveKit that is meant, its container where it has one, and every container."""
  all_containers, found = containers(), []
  for each in all_containers:
    if is_server(service(each[0])[1]) or at(each[0], "Path").endswith("livekit-server"):
      found.append((of_container(*each, all_containers), each[0]))
  known = set()
  for path in units():
    if os.path.basename(path) not in known: found += [({"user": "", "tool": "", "labels": {}, **with_drop_ins(it)}, None) for it in of_unit(path)]
    known.add(os.path.basename(path))
  if name: matching = [each for each in found if name in (each[0]["where"], each[0]["name"])]
  else: matching = [each for each in found if each[0]["state"] == "running"] or found
  cluster = any(os.path.exists(ROOT + path) for path in ("/var/lib/kubelet", "/etc/rancher"))
  if not matching and cluster or any(label.startswith("io.kubernetes.") for it, _ in matching for label in it["labels"]):
    refuse("LiveKit runs in Kubernetes, where a machine of its own cannot take its place. Make a new machine of these files, and lead the name to it.")
  if not matching: refuse(f"There is no LiveKit {name} here." if name else "LiveKit was not found: neither Docker nor systemd runs livekit-server here. On a machine without one README.md says how to begin.")
  if len(matching) > 1: refuse(f"There is more than one LiveKit: {', '.join(it['name'] for it, _ in matching)}. Name one with --livekit.")
  server, it = matching[0]
  if server["tool"] == "podman" or server["user"]:
    of = f"of the user {server['user']}" if server["user"] else "of root"
    refuse(f"LiveKit runs in {server['tool']} {of}, which this can neither stop nor start again. Make a new machine of these files, and take the key along: sudo livekit-deploy set api-key.")
  if os.path.realpath(shutil.which("docker") or "").startswith("/snap") or "/snap/bin/docker" == shutil.which("docker"):
    refuse("Docker is a snap here, which cannot read /opt/livekit. Make a new machine of these files.")
  return server, it, all_containers

def host_path(it, path):
  """Where a file of a container is on the machine; nothing where it is in the image."""
  if not it: return path
  for mount in sorted(at(it, "Mounts") or [], key=lambda each: -len(each["Destination"])):
    if (path + "/").startswith(mount["Destination"].rstrip("/") + "/"): return mount["Source"] + path[len(mount["Destination"].rstrip("/")):]
  return ""

def values(text, name):
  """What a unit has of one setting, which an empty line begins anew."""
  found = []
  for value in re.findall(rf"^{name}=(.*)$", text, re.M): found = [*found, value.strip()] if value.strip() else []
  return found

# What runs the containers of everybody.
ENGINES = ("docker", "docker.service", "docker.socket", "containerd", "containerd.service")

def starts(text, it):
  """Whether a unit starts a container, by its name or by the folder of its Compose project."""
  folder, commands = at(it, "Config", "Labels", "com.docker.compose.project.working_dir"), " ".join(values(text, "ExecStart"))
  by_compose = folder and re.search(r"docker[ -]compose", commands) and (folder + "/" in commands or folder in [each.rstrip("/") for each in values(text, "WorkingDirectory")])
  return bool(by_compose or re.search(rf"docker\b.*[\s=]{re.escape(it['Name'].lstrip('/'))}(\s|$)", commands))

def maker(it, units):
  """The unit among these that makes a container again when it starts, as that of livekit/deploy does."""
  for name, path in units.items():
    text = unit_text(path)
    if starts(text, it) and re.search(r"\s(run|up)(\s|$)", " ".join(values(text, "ExecStart"))): return name
  return ""

def unit_text(path):
  """A unit with its drop-ins, without comments; a line that goes on in the next is one."""
  drop_ins = {}
  for folder in ("/usr/lib", "/lib", "/usr/local/lib", "/run", "/etc"):
    for each in files(f"{folder}/systemd/system/{os.path.basename(path)}.d/*.conf"): drop_ins[os.path.basename(each)] = each
  text = "\n".join(read(each) for each in [path, *(drop_ins[name] for name in sorted(drop_ins))])
  return re.sub(r"^\s*[#;].*\n", "", text.replace("\\\n", " "), flags=re.M)

def with_drop_ins(server):
  """A unit's LiveKit with the arguments that systemd gives it."""
  try: args = shlex.split(values(unit_text(server["where"]), "ExecStart")[-1])
  except (ValueError, IndexError): return server
  config = option(args, "config")
  return {**server, "args": args, "config": config, "text": read(config)}

def environment(server, it):
  if it: return dict(each.split("=", 1) for each in at(it, "Config", "Env") if "=" in each)
  text, found = unit_text(server["where"]), {}
  for line in values(text, "Environment"): found.update(assignments(line))
  for path in values(text, "EnvironmentFile"): found.update(assignments(read(path.lstrip("-"))))
  return found

def pairs(text):
  """API keys with their secrets: a map of YAML, as a key file, LIVEKIT_KEYS and `keys` of a configuration have it."""
  flow = re.fullmatch(r"\{(.*)\}", text.strip(), re.S)
  if flow: text = "\n".join(each.strip() for each in flow[1].split(","))
  return {name: value for name, value in settings(text).items() if isinstance(value, str)}

def api_keys(server, it):
  """Those that LiveKit takes: an argument or LIVEKIT_KEYS is in place of `keys` of its configuration, and a key file adds its own."""
  args, set_here = server["args"], environment(server, it)
  text, inside = option(args, "config-body") or at(set_here, "LIVEKIT_CONFIG") or server["text"], option(args, "config")
  if inside and not text: refuse(f"Its configuration {inside} cannot be read on this machine.")
  yaml, given = settings(text), option(args, "keys") or at(set_here, "LIVEKIT_KEYS")
  keys = at(yaml, "keys")
  if given: found = pairs(given)
  elif isinstance(keys, dict): found = {name: value for name, value in keys.items() if isinstance(value, str)}
  else: found = pairs(keys)
  key_file = option(args, "key-file") or option(args, "key_file") or at(set_here, "LIVEKIT_KEY_FILE") or at(yaml, "key_file")
  if key_file:
    text = read(host_path(it, key_file)) if host_path(it, key_file) else ""
    if not text: refuse(f"Its key file {key_file} cannot be read on this machine.")
    found.update(pairs(text))
  return found

def key_pairs(server, it, wanted, makes_new):
  """The pairs that ours takes, the newest first, and by name why others are not."""
  unused, usable = {}, {}
  for name, secret in api_keys(server, it).items():
    if name == "devkey" or secret == "secret": unused[name] = "everybody knows its secret"
    elif name == "webhooks": unused[name] = "the name is that of the key for webhooks here"
    elif not re.fullmatch(r"[\w.+/=-]+", name, re.A) or not re.fullmatch(r"[\w.+/=-]{6,}", secret, re.A): unused[name] = "it has other signs than letters, digits and _ . + / = -"
    else: usable[name] = secret
  for name in wanted:
    if name not in usable: refuse(f"There is no key {name} that ours can take.")
  if len(wanted) > 2: refuse("Ours has two keys at most.")
  if makes_new: wanted, usable = [], {}
  elif not usable: refuse("No API key was found that ours can take" + "".join(f"; {name}: {why}" for name, why in unused.items()) + ". With --new-keys ours makes one, and your back end needs it.")
  selected = wanted or list(usable)[:2]
  unused.update((name, "ours has two keys at most: choose with --keys") for name in usable if name not in selected)
  return [(name, usable[name]) for name in selected], unused

PROGRAMS = ("livekit-server", "egress", "ingress", "livekit-egress", "livekit-ingress", "livekit-sip", "sip")

def stopping_units(server, it, also):
  """Units that run LiveKit or what belongs to it, or that start its containers, as that of livekit/deploy."""
  found, named = {}, []
  for path in units() + files("/etc/systemd/system/livekit*.timer"):
    name, text = os.path.basename(path), unit_text(path)
    if name in found or IS_OTHERS.search(path): continue
    program = os.path.basename((re.findall(r"[^\s@:+!-]\S*", " ".join(values(text, "ExecStart"))) or [""])[0])
    runs = program in PROGRAMS and (program != "livekit-server" or path == server["where"])
    # A unit of a name that ours may have would be taken for ours.
    if it and starts(text, it) or runs or name in also: found[name] = path
    elif path.startswith("/etc/systemd/system/livekit"):
      found[name] = path
      named.append(name)
  return found, named

def stopping_containers(server, it, all_containers, also):
  """Containers of LiveKit's images, and the Caddy and Redis beside them. Others of the same project run on."""
  found, project = [], at(it or {}, "Config", "Labels", "com.docker.compose.project")
  for each, tool, user in all_containers:
    image = service(each)[1]
    belongs = project and at(each, "Config", "Labels", "com.docker.compose.project") == project
    beside = belongs and re.search(r"(^|/)(caddy|redis|valkey)([:@]|$)", image)
    if tool != "docker" or user or is_server(image) and each is not it: continue
    if each is it or beside or re.search(r"(^|/)livekit/(egress|ingress|sip|caddyl4)([:@]|$)", image) or each["Name"].lstrip("/") in also: found.append(each)
  return found
