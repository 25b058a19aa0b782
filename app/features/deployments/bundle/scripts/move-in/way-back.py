# The way back: ours is stopped and put aside, and the journal is read backwards. Each step may have been done before.

def put_aside(path, aside, name):
  """Nothing is copied, as a disk may be full: what is on another one gets its new name where it is."""
  os.makedirs(os.path.dirname(f"{ROOT}{aside}/{name}"), exist_ok=True)
  try: os.rename(ROOT + path, f"{ROOT}{aside}/{name}")
  except OSError as error:
    if error.errno != errno.EXDEV: raise
    os.rename(ROOT + path, ROOT + path + aside[len(HERE):])

def restore(each, aside):
  kind, path = each["kind"], ROOT + each["path"]
  if os.path.lexists(path + ".new"): os.remove(path + ".new")
  if kind == "absent":
    if os.path.isdir(path) and not os.path.islink(path):
      try: os.rmdir(path)
      except OSError: pass  # Somebody else has put something into it since.
    # What others wrote into it since may be needed.
    elif path.endswith("/daemon.json") and os.path.exists(path) and read(each["path"]) != bundled("docker-daemon.json").strip(): put_aside(each["path"], aside, "system" + each["path"])
    elif os.path.lexists(path): os.remove(path)
    return
  if kind == "folder":
    os.makedirs(path, exist_ok=True)
    os.chown(path, each["uid"], each["gid"])
    os.chmod(path, each["mode"])
  elif kind == "link":
    if os.path.lexists(path): os.remove(path)
    os.symlink(each["target"], path)
    os.lchown(path, each["uid"], each["gid"])
  else: copy(f"{ROOT}{JOURNAL}/saved/{each['saved']}", path)

def remove_ours(place, saved, aside):
  """Stops ours and puts it aside, with what was made with it. Nothing is deleted: whoever goes back cannot know what is in it."""
  is_ours = os.path.exists(ROOT + HERE) and (not place["existed"] or os.path.lexists(ROOT + FORMER))
  for path in files(UNITS + "/livekit*.timer", UNITS + "/livekit*.service"):
    if not IS_OTHERS.search(path): succeeds("systemctl", "disable", *(["--now"] if path.endswith(".timer") else []), os.path.basename(path))
  if is_ours:
    if os.path.exists(ROOT + HERE + "/bin/before-stop.sh"): succeeds(ROOT + HERE + "/bin/before-stop.sh", "--now")
    succeeds("systemctl", "stop", *(os.path.basename(path) for path in files(UNITS + "/livekit*.service") if not IS_OTHERS.search(path)))
    if os.path.exists(ROOT + HERE + "/docker-compose.yaml") and not succeeds("docker", "compose", "down", cwd=ROOT + HERE) and succeeds("docker", "compose", "version"):
      sys.exit("Ours could not be stopped. In /opt/livekit: docker compose stop. Then run this again.")
  succeeds("nft", "delete", "table", "inet", "livekit")
  if is_ours and read(HERE + "/server.key"): print("The console knows this server: disconnect it there, or it counts as silent.")
  if is_ours: os.rename(ROOT + HERE, ROOT + aside)
  if place["existed"] and os.path.lexists(ROOT + FORMER): os.rename(ROOT + FORMER, ROOT + HERE)
  for path in files(*VERSION) + list(DATA):
    if path in saved and saved[path] != "absent" or IS_OTHERS.search(path) or not os.path.lexists(ROOT + path): continue
    put_aside(path, aside, DATA.get(path) or "system" + path)
  for path in files(UNITS + "/*/livekit*.service", UNITS + "/*/livekit*.timer"):
    if path not in saved and not IS_OTHERS.search(path) and not os.path.exists(ROOT + path): os.remove(ROOT + path)

def back(at_boot):
  notes = entries()
  saved = {each["path"]: each["kind"] for each in notes if "path" in each}
  place = next((each for each in notes if each["kind"] == "place"), None)
  aside = read(JOURNAL + "/aside")
  if place:
    remove_ours(place, saved, aside)
    for each in reversed(notes):
      if "path" in each: restore(each, aside)
    os.sync()
    succeeds("systemctl", "daemon-reload")
    succeeds("systemctl", "try-reload-or-restart", "ssh.service", "sshd.service")
  for each in notes:
    if each["kind"] == "setting" and each["value"]: succeeds("sysctl", "-q", "-w", f"{each['name']}={each['value']}")
    if each["kind"] == "rule" and not succeeds(each["command"], "-C", *shlex.split(each["rule"])): succeeds(each["command"], "-A", *shlex.split(each["rule"]))
  failed = []
  for each in notes:
    if each["kind"] != "container" or not succeeds("docker", "inspect", each["id"]): continue
    succeeds("docker", "update", "--restart=" + each["restart"], each["id"])
    if each["running"] and not succeeds("docker", "start", each["id"]): failed.append(each["name"])
  for each in notes:
    if each["kind"] == "unit" and each["active"] and not succeeds("systemctl", "start", *(["--no-block"] if at_boot else []), each["name"]): failed.append(each["name"])
  for each in notes:
    if each["kind"] != "dependency": continue
    if not each["active"]: succeeds("systemctl", "stop", *(["docker.socket"] if each["name"] == "docker.service" else []), each["name"])
    if not each["enabled"]: succeeds("systemctl", "disable", each["name"])
  if not at_boot and not failed: failed = not_running(notes)
  if failed: sys.exit(f"What was here before is back, but does not run: {', '.join(failed)}. Run this again: sudo sh {JOURNAL}/bundle/move-in.sh move-out")
  packages = [name for each in notes if each["kind"] == "packages" for name in each["names"]]
  unguard()
  forget()
  print("What was here before is back" + (", and runs." if place else "."))
  if os.path.exists(ROOT + aside): print(f"What ours had is in {aside}: settings, secrets, recordings and backups.")
  for path in files(*(each + aside[len(HERE):] for each in DATA)): print(f"On another disk: {path}")
  if packages: print(f"These packages were new, and stay: {' '.join(packages)}")

def starts_of(notes):
  """What ran before, each with what is another once it starts anew; nothing where it does not run."""
  found, active = {}, [each["name"] for each in notes if each["kind"] == "unit" and each["active"]]
  for name in active:
    found[name] = "active " + run("systemctl", "show", "-p", "MainPID,NRestarts", "--value", name) if run("systemctl", "is-active", name) == "active" else ""
  listening = {each[0] for each in listeners()}
  for each in notes:
    # Where LiveKit answered.
    if each["kind"] == "port": found["port " + each["port"]] = "listens" if each["port"] in listening else ""
    if each["kind"] != "container" or each["maker"] in active: continue
    state = at(next(iter(json.loads(run("docker", "inspect", each["id"]) or "[]")), {}), "State")
    if each["running"]: found[each["name"]] = f"{at(state, 'Pid')} {at(state, 'StartedAt')}" if at(state, "Status") == "running" else ""
    elif not state: found[each["name"]] = ""
  return found

def not_running(notes):
  """What of theirs does not run on: what starts is looked at twice, and has two minutes."""
  for pause in (5, 5, 10, 20, 30, 50):
    before = starts_of(notes)
    time.sleep(pause)
    now = starts_of(notes)
    failed = [name for name in now if not now[name] or now[name] != before[name]]
    if not failed: break
  return failed

def forget():
  """Nothing stays of the journal but the logs. Without a side nothing is to be done, so it goes first."""
  for path in sorted(files(JOURNAL + "/*"), key=lambda each: not each.endswith("/side")):
    if path.endswith(("/log", "/containers.log")): continue
    if os.path.isdir(ROOT + path): shutil.rmtree(ROOT + path)
    else: os.remove(ROOT + path)

def begin_move_out():
  """From here on a boot goes back to theirs, and ends what this begins."""
  if not guard():
    if read(JOURNAL + "/side") == "ours": unguard()
    sys.exit("The unit that ends a move after a power loss could not be enabled. Nothing was changed.")
  if read(JOURNAL + "/side") == "ours":
    name_aside()
    put(JOURNAL + "/side", "theirs\n")

def finish():
  """From here on ours stays. What fails after the first line, the next boot does."""
  put(JOURNAL + "/side", "ours\n")
  try:
    os.remove(ROOT + JOURNAL + "/keys")
    unguard()
  except OSError as error: print(error, file=sys.stderr)

def inventory():
  """What ours has made, for the question before the way back."""
  for path, words in ((HERE + "/out/**/*", "recording"), ("/var/backups/livekit/livekit-*", "backup")):
    made = [each for each in glob.glob(ROOT + path, recursive=True) if os.path.isfile(each)]
    if made: yield f"{len(made)} {words}" + ("s" if len(made) > 1 else "")

def main():
  options = argparse.ArgumentParser(prog="move-in.sh", add_help=False)
  options.add_argument("step")
  options.add_argument("--livekit", default="")
  options.add_argument("--also", action="append", default=[])
  options.add_argument("--keys", type=lambda text: text.split(","), default=[])
  options.add_argument("--new-keys", action="store_true")
  given = options.parse_args()
  if given.step == "check": print(*summary(proposal(given)), sep="\n")
  elif given.step == "begin":
    # What changed since the question may refuse it.
    proposal(given)
    begin()
  elif given.step == "packages":
    # What a package or first-boot.sh starts and enables.
    for name in ("docker.service", *(["dnf-automatic.timer"] if "\nSYSTEM='amazon" in bundled("deployment.env") else [])):
      note(kind="dependency", name=name, active=bool(run("systemctl", "is-active", name)), enabled=run("systemctl", "is-enabled", name) == "enabled")
    missing = missing_packages()
    note(kind="packages", names=missing)
    print(*missing)
  elif given.step == "record": record(proposal(given))
  elif given.step == "stop": stop()
  elif given.step == "exchange": exchange()
  elif given.step == "finish": finish()
  elif given.step == "unguard": unguard()
  elif given.step == "begin-move-out": begin_move_out()
  elif given.step == "inventory": print(*inventory(), sep=", ")
  elif given.step in ("back", "boot"): back(given.step == "boot")

main()
