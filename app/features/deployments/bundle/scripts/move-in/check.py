# Each port of this deployment, with who may reach it.
PORTS = "@PORTS@"

def listeners():
  """Who listens: port and protocol, address, program, process."""
  for protocol, flags in (("tcp", "-Hlntp"), ("udp", "-Hlnup")):
    for line in run("ss", flags).split("\n"):
      words, user = line.split(), re.search(r'"(sshd)",pid=(\d+)', line) or re.search(r'\(\("([^"]+)",pid=(\d+)', line)
      if len(words) < 4: continue
      address, _, port = words[3].rpartition(":")
      yield f"{port}/{protocol}", address, user[1] if user else "another program", user[2] if user else ""

def is_loopback(address): return address.startswith(("127.", "[::1]", "[::ffff:127."))

def is_open(port, ports):
  number, protocol = port.split("/")
  for each in ports:
    numbers, of = each.split("/")
    first, _, last = numbers.partition("-")
    if of == protocol and int(first) <= int(number) <= int(last or first): return True
  return False

def published(it): return {f"{each['HostPort']}/{inner.split('/')[1]}" for inner, bindings in (at(it, "NetworkSettings", "Ports") or {}).items() for each in bindings or []}

def stop_hint(port, group, others):
  """How what holds a port can be stopped. Where Docker leads a port on, its process belongs to the engine, which is nobody's to stop."""
  for it in others:
    if it["Id"] in group or port in published(it): return f"--also {it['Name'].lstrip('/')} stops that container too, and starts it again on the way back"
  unit = re.search(r"/([^/\s]+\.service)\s*$", group)
  if not unit or unit[1] in ENGINES or "/user.slice/" in group: return "stop it first"
  return f"--also {unit[1]} stops it too, and starts it again on the way back"

def check_ports(stopping, stopped, all_containers):
  """What holds a port that ours needs, and what would be closed by ours' firewall."""
  ours = [each.split(" ") for each in PORTS.split(",")]
  opened = [port for port, audience in ours if audience != "internal"]
  others = [it for it, tool, user in all_containers if it not in stopped and tool == "docker" and not user]
  closing, sockets = {}, run("systemctl", "show", "-p", "Listen", "--value", "ssh.socket") + " "
  for port, address, program, process in listeners():
    group = read(f"/proc/{process}/cgroup") if process else ""
    if any(port in published(it) or it["Id"] in group for it in stopped) or any(group.endswith("/" + name) or f"/{name}/" in group for name in stopping): continue
    # systemd itself may hold the port until somebody comes.
    if program == "sshd" or program == "systemd" and f":{port.split('/')[0]} " in sockets:
      if not is_loopback(address) and not is_open(port, opened):
        refuse(f"SSH listens on {port}, which the firewall of this deployment closes. Open it in its options, and make the files again.")
      continue
    for needed, audience in ours:
      if needed == port and audience in ("public", "internal") and (audience == "public" or is_loopback(address) or address in ("*", "0.0.0.0", "[::]")):
        who = f"{program} (process {process})" if process else program
        proxy = " Where it serves other sites, choose a proxy of yours in the deployment's options, and make the files again." if port in ("80/tcp", "443/tcp") else ""
        refuse(f"{who} holds port {port}, which ours needs, and is none of LiveKit's. If LiveKit alone uses it: {stop_hint(port, group, others)}.{proxy}")
    # What Docker leads on into a container passes our firewall by.
    if program != "docker-proxy" and not is_loopback(address) and not is_open(port, opened) and port not in ("68/udp", "546/udp"): closing[port] = program
  return closing

def rules_of_ufw():
  """The ports that ufw opens to everybody; nothing where it drops none."""
  status = run("ufw", "status", "verbose")
  if not status.startswith("Status: active") or "allow (incoming)" in status: return None
  found = re.findall(r"^([\d,:]+)(?:/(tcp|udp))?(?: \([^)]*\))? +(?:ALLOW|LIMIT) IN +Anywhere *(?:#.*)?$", status, re.M)
  return [f"{each.replace(':', '-')}/{protocol}" for ports, of in found for each in ports.split(",") for protocol in ([of] if of else ["tcp", "udp"])]

def check_firewalls(ports):
  """What ufw or firewalld drops of the public ports. What Docker leads into a container passes them by; ours listens itself."""
  opened, dropped = rules_of_ufw(), []
  def ends(port): return [f"{number}/{port.split('/')[1]}" for number in port.split("/")[0].split("-")]
  if opened is not None: dropped = [port for port in ports if not all(is_open(each, opened) for each in ends(port))]
  if dropped: refuse(f"ufw drops {' '.join(dropped)}, which ours needs. Run first: for port in {' '.join(each.replace('-', ':') for each in dropped)}; do sudo ufw allow $port; done")
  if run("firewall-cmd", "--state") == "running": dropped = [port for port in ports if not succeeds("firewall-cmd", "--query-port=" + port)]
  if dropped: refuse(f"firewalld drops {' '.join(dropped)}, which ours needs. Run first: for port in {' '.join(dropped)}; do sudo firewall-cmd --permanent --add-port=$port; done; sudo firewall-cmd --reload")

def missing_packages():
  release, wanted = assignments(read("/etc/os-release")), re.findall(r"^package (\S+)$", bundled("files.txt"), re.M)
  system, version = at(release, "ID"), at(release, "VERSION_ID")
  has_docker, has_compose = shutil.which("docker"), succeeds("docker", "compose", "version")
  missing = []
  for name in wanted:
    if name == "docker-compose-v2":
      # install-tools.sh fetches it where the system has no package of it.
      if has_compose or system == "debian" and version == "12": continue
      if has_docker and succeeds("dpkg", "-s", "docker-ce"): missing.append("docker-compose-plugin")
      elif system == "debian": missing.append("docker-compose")
      else: missing.append(name)
    elif name in ("docker", "docker.io"):
      if not has_docker: missing += [name, "docker-cli"] if system == "debian" and version != "12" else [name]
    elif not (succeeds("dpkg", "-s", name) if shutil.which("dpkg") else succeeds("rpm", "-q", name)): missing.append(name)
  if missing and shutil.which("apt-get"):
    # Without lists of packages it says nothing; then apt-get itself refuses, before anything stops.
    removed = re.findall(r"^Remv (\S+)", run("apt-get", "-s", "install", *missing), re.M)
    if removed: refuse(f"Installing {', '.join(missing)} would remove {', '.join(removed)}.")
  return missing

def proposal(arguments):
  """Everything that is found out before anything changes. What cannot be done is refused here."""
  if os.path.exists(ROOT + HERE + "/deployment.env"): refuse("This machine runs a deployment of ours: take changed files with sudo livekit-deploy apply FILE.zip.")
  if os.path.lexists(ROOT + FORMER): refuse(f"{FORMER} is there already.")
  ours = assignments(bundled("deployment.env"))
  server, it, all_containers = present_livekit(arguments.livekit)
  for name in arguments.also:
    if name in ENGINES: refuse(f"{name} runs every container here, and goes on. --also takes the name of one container.")
  if at(it, "Config", "Labels", "com.docker.swarm.service.id"):
    refuse("LiveKit is a service of Docker Swarm, which starts another container for each that is stopped. Make a new machine of these files, and lead the name to it.")
  stopping, named = stopping_units(server, it, arguments.also)
  stopped = stopping_containers(server, it, all_containers, arguments.also)
  names = [each["Name"].lstrip("/") for each in stopped]
  for name in arguments.also:
    if name not in names and name not in stopping: refuse(f"There is neither a unit nor a container {name}.")
  for each, *_ in all_containers:
    if each not in stopped and any((at(mount, "Source") + "/").startswith(HERE + "/") for mount in at(each, "Mounts") or []):
      refuse(f"{each['Name'].lstrip('/')} has files in {HERE} and would run on without them. --also {each['Name'].lstrip('/')} stops it too.")
    if each in stopped and at(each, "HostConfig", "AutoRemove") and not maker(each, stopping):
      refuse(f"{each['Name'].lstrip('/')} was started with --rm: Docker removes it when it stops, and nothing here starts it again.")
  for path in units() if os.path.isdir(ROOT + HERE) else []:
    name = os.path.basename(path)
    if name not in stopping and not IS_OTHERS.search(path) and re.search(rf"{HERE}(/|\s|$)", unit_text(path)):
      refuse(f"{name} has files in {HERE} and would run on without them. --also {name} stops it too.")
  keys, unused = key_pairs(server, it, arguments.keys, arguments.new_keys)
  for name in sorted({*",".join(at(ours, each) for each in ("DOMAIN", "TURN_DOMAIN", "WHIP_DOMAIN", "EXTRA_DOMAINS")).split(",")} - {""}):
    if not succeeds("getent", "ahosts", name): refuse(f"{name} has no address yet: set its DNS record first, or ours gets no certificate.")
  closing = check_ports(stopping, stopped, all_containers)
  check_firewalls(at(ours, "PUBLIC_PORTS").split(","))
  return {
    "server": server, "units": stopping, "named": named, "containers": stopped, "keys": keys, "unused": unused, "closing": closing, "packages": missing_packages(),
    "projects": sorted({at(each, "Config", "Labels", "com.docker.compose.project") for each, *_ in all_containers} - {""}),
  }

def summary(it):
  server, ours = it["server"], assignments(bundled("deployment.env"))
  yield f"Found: LiveKit {server['version']} in {server['kind']} at {server['where']}".replace("  ", " ")
  yield f"In its place: the deployment of {ours['DOMAIN']}"
  yield "Stops, and starts neither at a boot nor by itself until move-out: " + ", ".join([*it["units"], *(each["Name"].lstrip("/") for each in it["containers"])])
  if it["named"]: yield "Of these for its name alone, which ours may have too: " + ", ".join(it["named"])
  yield "API keys that ours takes: " + (", ".join(name for name, _ in it["keys"]) or "none, it makes one")
  for name, secret in it["keys"]:
    if len(secret) < 32: yield f"  {name} has a secret of fewer than 32 signs: replace it later by sudo livekit-deploy rotate api-key"
  if len(it["keys"]) > 1: yield f"  {it['keys'][1][0]} is taken like the old key of a rotation, until sudo livekit-deploy rotate finish"
  for name, why in it["unused"].items(): yield f"API key that is not taken: {name}; {why}"
  yield "Stays with theirs: certificates, which ours gets anew, and what is in its Redis: SIP trunks, dispatch rules, ingresses"
  if it["packages"]: yield "New packages: " + ", ".join(it["packages"])
  if os.path.isdir(ROOT + HERE): yield f"{HERE} is renamed to {FORMER} meanwhile"
  closing = [f"{port} ({program})" for port, program in it["closing"].items()]
  if closing: yield "Closed to others by ours' firewall: " + ", ".join(closing)
  keys = [path for path in files("/root/.ssh/authorized_keys", "/home/*/.ssh/authorized_keys") if read(path)]
  yield "SSH: by key only from then on" + ("" if keys else "; no key was found in /root and /home, so try one first")
  if os.path.exists(ROOT + "/opt/livekit-connect"): yield "The console knows this machine as connected. Afterwards: sudo /opt/livekit-connect/livekit-connect remove"
  yield "Calls of that moment are cut off. People come back by themselves once ours runs, in a minute or two"
