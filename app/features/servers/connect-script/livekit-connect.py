def probe():
  """How LiveKit runs here: what runs, before what is stopped."""
  others = containers()
  found = [of_container(*each, others) for each in others if is_server(service(each[0])[1]) or at(each[0], "Path").endswith("livekit-server")]
  for path in units(): found += of_unit(path)
  if not found: return None
  local = {"user": "", "tool": "", "keys": "", "labels": {}, "image": "", "version": "", "reach": lambda port: f"127.0.0.1:{port}"}
  server = {**local, **min(found, key=lambda each: (each["state"] != "running", at(each, "user")))}
  # Of the configuration only what is named here is read.
  yaml = settings(server["text"])
  turn = at(yaml, "turn") if at(yaml, "turn", "enabled") == "true" else {}
  server.update(port=at(yaml, "port") or "7880", metrics=at(yaml, "prometheus", "port") or at(yaml, "prometheus_port"), turn=turn, has_keys=at(yaml, "keys"))
  server["keys"] = re.sub("['\"]", "", f"{at(yaml, 'keys')}\n{server['keys']}\n{read(at(yaml, 'key_file'))}")
  server["version"] = next(iter(re.findall(r":v?(\d+\.\d+\.\d+[^@]*)", server["image"])), server["version"].lstrip("v"))
  server["proxy"], name, server["tls"] = proxy(server)
  return {**server, "domain": read(HERE + "domain") or name}

def proxy(server):
  """The proxy before LiveKit, the name that people reach, and the proxy's port."""
  leads, folder = re.compile(rf"[\w.\]-]*:{server['port']}\b"), os.path.dirname(server["where"])
  for path in files("/etc/nginx/sites-enabled/*", "/etc/nginx/conf.d/*.conf"):
    for block in re.split(r"\bserver\s*\{", read(path))[1:]:
      name, port = re.findall(r"server_name\s+([\w.-]+)", block), re.findall(r"listen\s+(?:\S+:)?(\d+)[^;]*ssl", block)
      if name and leads.search(block): return "nginx", name[0], (port or [443])[0]
  for path in (folder + "/caddy.yaml", folder + "/Caddyfile", "/etc/caddy/Caddyfile"):
    text = re.sub(r"#.*", "", read(path))
    place = leads.search(text)
    form = r"^\s*-\s*[\"']?((?:[\w-]+\.)+[a-z]+)" if path.endswith("yaml") else r"^(?:https://)?((?:[\w-]+\.)+[a-z]+)[^\n]*\{"
    names, port = re.findall(form, text[:place.start()] if place else "", re.M), re.findall(r"listen:[\s\[-]*[\"']?:(\d+)", text)
    if names: return "caddy", names[-1], (port or [443])[0]
  for label, value in server["labels"].items():
    name = re.match(r"traefik\.http\.routers\.", label) and re.search(r"Host\(`([\w.-]+)`", value)
    if name: return "traefik", name[1], 443
  return "", "", 443

def facts(server):
  shortest = min(map(len, re.findall(r": *([^\s,{}]+)", server["keys"])), default=99)
  yield "answers", "yes" if fetch(server, server["port"], "/").strip() == "OK" else "no"
  yield "keys", "known" if "--dev" in server["args"] or "devkey: secret" in server["keys"] else "short" if shortest < 32 else "fine"
  if server["has_keys"] and server["config"] and os.stat(ROOT + server["config"]).st_mode & 4: yield "readable", "yes"
  if not server["starts"]: yield "starts", "no"
  if not server["metrics"]: yield "metrics", "no"
  place = read(SESSIONS + "address")
  yield "sessions", "yes" if place and place in server["text"] else place or "no"
  if not server["proxy"]: return
  try:
    with socket.create_connection(("127.0.0.1", server["tls"]), timeout=5) as plain:
      with ssl.create_default_context().wrap_socket(plain, server_hostname=server["domain"]) as tls:
        yield "certificate-ends", int(ssl.cert_time_to_seconds(tls.getpeercert()["notAfter"]))
  except ssl.SSLCertVerificationError as error: yield "certificate-invalid", error.verify_message
  except (OSError, ValueError): pass  # The check from outside says what browsers get.

def figures():
  yield from (("load", read("/proc/loadavg").split()[0]), ("cpus", os.cpu_count()))
  ticks = [int(each) for each in read("/proc/stat").split("\n")[0].split()[1:9]]
  yield "cpu", sum(ticks) - ticks[3] - ticks[4], sum(ticks)
  total, free = (int(re.search(rf"{name}:\s+(\d+)", read("/proc/meminfo"))[1]) for name in ("MemTotal", "MemAvailable"))
  yield "memory", total - free, total
  disk = shutil.disk_usage(ROOT or "/")
  yield "disk", disk.used // 1024, (disk.used + disk.free) // 1024
  lines = [each.replace(":", " ").split() for each in read("/proc/net/dev").split("\n") if re.match(r" *(?!lo:|docker|br-|veth|cni|podman)\w\S*:", each)]
  yield "network", sum(int(each[1]) for each in lines), sum(int(each[9]) for each in lines)
  for family, kind, far in ((4, socket.AF_INET, "192.0.2.1"), (6, socket.AF_INET6, "2001:db8::1")):
    try:
      with socket.socket(kind, socket.SOCK_DGRAM) as one:
        one.connect((far, 9))
        address = one.getsockname()[0]
      # Behind a NAT nobody here knows the public one.
      if ipaddress.ip_address(address).is_global: yield "address", family, address
    except OSError: pass

def sessions(keys, *args):
  """What livekit-sessions says, where somebody has installed it."""
  try: return subprocess.run([ROOT + SESSIONS + "livekit-sessions", *args], input=keys, capture_output=True, text=True).stdout
  except OSError: return ""

def identity():
  return ("machine", digest("livekit-deploy:" + read("/etc/machine-id"))), ("instance", re.sub(r"[^\w.:/-]", "", read("/var/lib/cloud/data/instance-id")[:128]) or "-")

def records(seq):
  server, now = probe(), int(time.time())
  yield "livekit-deploy-report", 1
  yield from (("seq", seq), ("boot", read("/proc/sys/kernel/random/boot_id")), *identity(), ("at", now), ("doctor", now))
  # Nobody can guess a file by this hash: the machine's own secret is in it.
  yield "version", digest(read(HERE + "server.key") + (server and server["text"] + read(server["where"]) or ""))
  yield from figures()
  if os.path.exists(ROOT + "/run/reboot-required"): yield ("reboot-pending",)
  yield ("layout", *(server[each] for each in ("kind", "where", "config", "name", "user", "tool", "proxy"))) if server else ("layout", "none", *[""] * 6)
  if not server: return
  yield from (("fact", *each) for each in facts(server))
  yield from (("service", *each) for each in server["services"])
  if server["version"]: yield "release", "livekit", "v" + server["version"]
  turn = server["turn"]
  yield from (("turn", "yes" if turn else "no"), ("turn-name", at(turn, "domain") if at(turn, "tls_port") not in ("", "0") else ""))
  if server["domain"]: yield "domain", server["domain"]
  yield from metrics(server)
  yield from (line.split("\t") for line in sessions(server["keys"], "report").splitlines())

def summary(server):
  if not server: return "LiveKit was not found: neither Docker, Podman nor systemd runs it here."
  return f"Found: LiveKit {server['version']} in {server['kind']} at {server['where']}"

command = sys.argv[2]
if command == "probe": sys.exit(None if print(summary(probe())) or probe() else 1)
elif command == "status": print(summary(probe()), "The last report was " + (read(RUN + "answer") or "not sent yet"), sep="\n")
elif command == "print": print(report_text(0), end="")
else: sys.exit({"enrol": enrol, "report": report, "disconnect": lambda: call("/v1/disconnect", "server.key", body())[0] not in (200, 401, 410)}[command]())
