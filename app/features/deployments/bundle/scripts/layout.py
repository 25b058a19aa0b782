def files(*patterns): return [path[len(ROOT):] for each in patterns for path in sorted(glob.glob(ROOT + each))]

def run(*command):
  try: done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=15)
  except (OSError, subprocess.TimeoutExpired): return ""
  return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else ""

def settings(text):
  """YAML as far as needed here: maps of plain values by their indentation."""
  maps = [(-1, {})]
  for line in text.expandtabs().split("\n"):
    found = re.match(r"""( *)["']?([^\s"':#-][^\s"':]*)["']?:\s*(.*)$""", re.sub(r"(^|\s)#.*", "", line).rstrip())
    if not found: continue
    while maps[-1][0] >= len(found[1]): maps.pop()
    maps[-1][1][found[2]] = value = found[3].strip("'\"") or {}
    if value == {}: maps.append((len(found[1]), value))
  return maps[0][1]

def option(args, name):
  return next(iter(re.findall(rf"(?:^|\0)--?{name}[=\0]([^\0]+)", "\0".join(args))), "")

def is_server(image): return re.search(r"(^|/)livekit-server([:@]|$)", image)

def containers():
  engines, found = [([tool], "") for tool in ("docker", "podman") if shutil.which(tool)], {}
  for path in files("/run/user/*/docker.sock", "/run/user/*/podman/podman.sock"):
    engines.append(((["podman", "--url"] if "podman" in path else ["docker", "-H"]) + [f"unix://{ROOT}{path}"], path.split("/")[3]))
  for engine, user in engines:
    ids = run(*engine, "ps", "-aq", "--no-trunc").split()
    for it in json.loads((ids and run(*engine, "inspect", *ids)) or "[]"): found.setdefault(it["Id"], (it, engine[0], user))
  return list(found.values())

def service(it):
  name = at(it, "Config", "Labels", "com.docker.compose.service") or it["Name"].lstrip("/")
  return name, at(it, "Config", "Image") or at(it, "ImageName"), at(it, "State", "Status"), at(it, "State", "Health", "Status")

def of_container(it, tool, user, others):
  labels, (name, image, state, _) = at(it, "Config", "Labels") or {}, service(it)
  environment = dict(each.split("=", 1) for each in at(it, "Config", "Env"))
  args = [at(it, "Path"), *at(it, "Args")]
  inside, config, compose = option(args, "config"), "", "com.docker.compose.project"
  for mount in sorted(at(it, "Mounts"), key=lambda each: len(each["Destination"])):
    place = mount["Destination"].rstrip("/")
    if (inside + "/").startswith(place + "/"): config = mount["Source"] + inside[len(place):]
  file = at(labels, compose + ".config_files").split(",")[0]
  file = file and os.path.join(at(labels, compose + ".working_dir"), file)
  inner = [at(each, "IPAddress") for each in at(it, "NetworkSettings", "Networks").values() if at(each, "IPAddress")] or ["127.0.0.1"]
  def reach(port): return next((f"127.0.0.1:{each['HostPort']}" for each in at(it, "NetworkSettings", "Ports", f"{port}/tcp")), f"{inner[0]}:{port}")
  return {
    "kind": "compose" if file else "docker", "where": file or name, "name": name, "config": config, "user": user, "tool": tool,
    "text": read(config) or option(args, "config-body") or at(environment, "LIVEKIT_CONFIG"), "args": args, "image": image,
    "keys": at(environment, "LIVEKIT_KEYS"), "labels": labels, "reach": reach, "state": state,
    "version": at(labels, "org.opencontainers.image.version"), "starts": at(it, "HostConfig", "RestartPolicy", "Name") in ("always", "unless-stopped"),
    "services": [service(each) for each, *_ in others if file and at(each, "Config", "Labels", compose) == labels[compose]] or [service(it)],
  }

def of_unit(path):
  found = re.search(r"^ExecStart=[-@:+!]*(\S*livekit-server)\b(.*)$", read(path).replace("\\\n", " "), re.M)
  if not found: return []
  name, args = os.path.basename(path), found[0].split()
  state = "running" if run("systemctl", "is-active", name) == "active" else "stopped"
  config, versions = option(args, "config"), re.findall(r"\d+\.\d+\.\d+\S*", run(ROOT + found[1], "--version"))
  return [{
    "kind": "systemd", "where": path, "name": name, "config": config, "text": read(config), "args": args, "state": state,
    "version": "".join(versions[:1]), "services": [(name, "", state, "")], "starts": run("systemctl", "is-enabled", name),
  }]

def units(): return files(*(f"{each}/systemd/system/*.service" for each in "/etc /usr/local/lib /usr/lib /lib".split()))
