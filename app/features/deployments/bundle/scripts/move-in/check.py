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

def check_ports(stopping, containers_of):
  """What holds a port that ours needs, and what would be closed by ours' firewall."""
  ours = [each.split(" ") for each in PORTS.split(",")]
  opened = [port for port, audience in ours if audience != "internal"]
  published = {f"{each['HostPort']}/{inner.split('/')[1]}" for it in containers_of for inner, some in (at(it, "NetworkSettings", "Ports") or {}).items() for each in some or []}
  closing, sockets = {}, run("systemctl", "show", "-p", "Listen", "--value", "ssh.socket") + " "
  for port, address, program, process in listeners():
    group = read(f"/proc/{process}/cgroup") if process else ""
    if port in published or any(it["Id"] in group for it in containers_of) or any(group.endswith("/" + name) or f"/{name}/" in group for name in stopping): continue
    # systemd itself may hold the port until somebody comes.
    if program == "sshd" or program == "systemd" and f":{port.split('/')[0]} " in sockets:
      if not is_loopback(address) and not is_open(port, opened):
        refuse(f"SSH listens on {port}, which the firewall of this deployment closes. Open it in its options, and make the files again.")
      continue
    for needed, audience in ours:
      if needed == port and audience in ("public", "internal") and (audience == "public" or is_loopback(address) or address in ("*", "0.0.0.0", "[::]")):
        who = f"{program} (process {process})" if process else program
        of_unit = re.search(r"/([^/\s]+\.service)", group)
        hint = f"--also {of_unit[1]} stops it too, and starts it again on the way back" if of_unit else "stop it first"
        proxy = " Where it serves other sites, choose a proxy of yours in the deployment's options, and make the files again." if port in ("80/tcp", "443/tcp") else ""
        refuse(f"{who} holds port {port}, which ours needs, and is none of LiveKit's. If LiveKit alone uses it: {hint}.{proxy}")
    # What Docker leads on into a container passes our firewall by.
    if program != "docker-proxy" and not is_loopback(address) and not is_open(port, opened) and port not in ("68/udp", "546/udp"): closing[port] = program
  return closing

def missing_packages():
  release, wanted = assignments(read("/etc/os-release")), re.findall(r"^package (\S+)$", bundled("files.txt"), re.M)
  system, version = at(release, "ID"), at(release, "VERSION_ID")
  has_docker, has_compose = shutil.which("docker"), works("docker", "compose", "version")
  missing = []
  for name in wanted:
    if name == "docker-compose-v2":
      # install-tools.sh fetches it where the system has no package of it.
      if has_compose or system == "debian" and version == "12": continue
      if has_docker and works("dpkg", "-s", "docker-ce"): missing.append("docker-compose-plugin")
      elif system == "debian": missing.append("docker-compose")
      else: missing.append(name)
    elif name in ("docker", "docker.io"):
      if not has_docker: missing += [name, "docker-cli"] if system == "debian" and version != "12" else [name]
    elif not (works("dpkg", "-s", name) if shutil.which("dpkg") else works("rpm", "-q", name)): missing.append(name)
  if missing and shutil.which("apt-get"):
    removed = re.findall(r"^Remv (\S+)", run("apt-get", "-s", "install", *missing), re.M)
    if removed: refuse(f"Installing {', '.join(missing)} would remove {', '.join(removed)}.")
  return missing

def plan(arguments):
  """Everything that is found out before anything changes. What cannot be done is refused here."""
  if os.path.exists(ROOT + HERE + "/deployment.env"): refuse("This machine runs a deployment of ours: take changed files with sudo livekit-deploy apply FILE.zip.")
  if os.path.lexists(ROOT + FORMER): refuse(f"{FORMER} is there already.")
  ours = assignments(bundled("deployment.env"))
  server, it, everything = present_livekit(arguments.livekit)
  stopping = stopping_units(server, arguments.also)
  some = stopping_containers(server, it, everything, arguments.also)
  names = [each["Name"].lstrip("/") for each in some]
  for name in arguments.also:
    if name not in names and name not in stopping: refuse(f"There is neither a unit nor a container {name}.")
  for each, *_ in everything:
    if each not in some and any((at(mount, "Source") + "/").startswith(HERE + "/") for mount in at(each, "Mounts") or []):
      refuse(f"{each['Name'].lstrip('/')} has files in {HERE} and would run on without them. --also {each['Name'].lstrip('/')} stops it too.")
    if each in some and at(each, "HostConfig", "AutoRemove") and not stopping:
      refuse(f"{each['Name'].lstrip('/')} was started with --rm: Docker removes it when it stops, and nothing here starts it again.")
  keys, unused = key_pairs(server, it, arguments.keys, arguments.new_keys)
  for name in sorted({*",".join(at(ours, each) for each in ("DOMAIN", "TURN_DOMAIN", "WHIP_DOMAIN", "EXTRA_DOMAINS")).split(",")} - {""}):
    if not works("getent", "ahosts", name): refuse(f"{name} has no address yet: set its DNS record first, or ours gets no certificate.")
  closing = check_ports(stopping, some)
  return {
    "server": server, "units": stopping, "containers": some, "keys": keys, "unused": unused, "closing": closing, "packages": missing_packages(),
    "projects": sorted({at(each, "Config", "Labels", "com.docker.compose.project") for each, *_ in everything} - {""}),
  }

def summary(it):
  server, ours = it["server"], assignments(bundled("deployment.env"))
  yield f"Found: LiveKit {server['version']} in {server['kind']} at {server['where']}".replace("  ", " ")
  yield f"In its place: the deployment of {ours['DOMAIN']}"
  yield "Stops, and is changed in nothing: " + ", ".join([*it["units"], *(each["Name"].lstrip("/") for each in it["containers"])])
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
