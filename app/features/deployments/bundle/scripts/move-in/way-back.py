# The way back: ours is stopped and put aside, and the journal is read backwards. Each step may have been done before.

def put_aside(path, aside, name):
  os.makedirs(os.path.dirname(f"{ROOT}{aside}/{name}"), exist_ok=True)
  shutil.move(ROOT + path, f"{ROOT}{aside}/{name}")

def restore(each, aside):
  kind, path = each["kind"], ROOT + each["path"]
  if os.path.lexists(path + ".new"): os.remove(path + ".new")
  if kind == "absent":
    if os.path.isdir(path) and not os.path.islink(path):
      try: os.rmdir(path)
      except OSError: pass  # Somebody else has put something into it since.
    # What others wrote into it since may be needed.
    elif aside and path.endswith("/daemon.json") and os.path.exists(path) and read(each["path"]) != bundled("docker-daemon.json").strip(): put_aside(each["path"], aside, "system" + each["path"])
    elif os.path.lexists(path): os.remove(path)
    return
  if kind == "folder":
    os.makedirs(path, exist_ok=True)
    os.chown(path, each["uid"], each["gid"])
    os.chmod(path, each["mode"])
  elif kind == "link":
    if os.path.lexists(path): os.remove(path)
    os.symlink(each["to"], path)
    os.lchown(path, each["uid"], each["gid"])
  else: copy(f"{ROOT}{JOURNAL}/saved/{each['saved']}", path)

def remove_ours(here, saved):
  """Stops ours and takes it away. What was made with it since is moved into one folder, which is named at the end."""
  shutil.rmtree(ROOT + HERE + ".removed", ignore_errors=True)
  is_ours = os.path.exists(ROOT + HERE) and (not here["was"] or os.path.lexists(ROOT + FORMER))
  for path in files(UNITS + "/livekit*.timer", UNITS + "/livekit*.service"):
    if not IS_OTHERS.search(path): works("systemctl", "disable", *(["--now"] if path.endswith(".timer") else []), os.path.basename(path))
  if is_ours:
    if os.path.exists(ROOT + HERE + "/bin/before-stop.sh"): works(ROOT + HERE + "/bin/before-stop.sh", "--now")
    works("systemctl", "stop", "livekit.service", "livekit-insights.service", "livekit-going.service")
    if os.path.exists(ROOT + HERE + "/docker-compose.yaml") and not works("docker", "compose", "down", cwd=ROOT + HERE) and works("docker", "compose", "version"):
      sys.exit("Ours could not be stopped: docker compose down in /opt/livekit. Then run this again.")
  works("nft", "delete", "table", "inet", "livekit")
  aside = read(JOURNAL + "/aside")
  if is_ours and read(HERE + "/server.key"): print("The console knows this server: disconnect it there, or it counts as silent.")
  if not aside and is_ours and files(HERE + "/out/*"):
    aside = HERE + time.strftime(".moved-out-%Y-%m-%d-%H%M%S")
    put(JOURNAL + "/aside", aside + "\n")
  if is_ours and aside and not os.path.exists(ROOT + aside): os.rename(ROOT + HERE, ROOT + aside)
  elif is_ours:
    # Half of it, with another project's name, would be taken for theirs.
    os.rename(ROOT + HERE, ROOT + HERE + ".removed")
    shutil.rmtree(ROOT + HERE + ".removed")
  if here["was"] and os.path.lexists(ROOT + FORMER): os.rename(ROOT + FORMER, ROOT + HERE)
  for path in files(*VERSION) + list(DATA):
    if path in saved and saved[path] != "absent" or IS_OTHERS.search(path) or not os.path.lexists(ROOT + path): continue
    if aside and (path in DATA or path not in saved):
      put_aside(path, aside, DATA.get(path) or "system" + path)
    elif os.path.isdir(ROOT + path) and not os.path.islink(ROOT + path): shutil.rmtree(ROOT + path)
    else: os.remove(ROOT + path)
  for path in files(UNITS + "/*/livekit*.service", UNITS + "/*/livekit*.timer"):
    if path not in saved and not IS_OTHERS.search(path) and not os.path.exists(ROOT + path): os.remove(ROOT + path)

def back(at_boot):
  notes = entries()
  saved = {each["path"]: each["kind"] for each in notes if "path" in each}
  here = next((each for each in notes if each["kind"] == "here"), None)
  if here:
    remove_ours(here, saved)
    for each in reversed(notes):
      if "path" in each: restore(each, read(JOURNAL + "/aside"))
    os.sync()
    works("systemctl", "daemon-reload")
    works("systemctl", "try-reload-or-restart", "ssh.service", "sshd.service")
  for each in notes:
    if each["kind"] == "setting" and each["value"]: works("sysctl", "-q", "-w", f"{each['name']}={each['value']}")
    if each["kind"] == "rule" and not works(each["command"], "-C", *shlex.split(each["rule"])): works(each["command"], "-A", *shlex.split(each["rule"]))
  failed = []
  for each in notes:
    if each["kind"] != "container" or not works("docker", "inspect", each["id"]): continue
    works("docker", "update", "--restart=" + each["restart"], each["id"])
    if each["running"] and not works("docker", "start", each["id"]): failed.append(each["name"])
  for each in notes:
    if each["kind"] == "unit" and each["active"] and not works("systemctl", "start", *(["--no-block"] if at_boot else []), each["name"]): failed.append(each["name"])
  for each in notes:
    if each["kind"] == "engine": works("systemctl", "stop", "docker.socket", "docker.service"), each["enabled"] == "enabled" or works("systemctl", "disable", "docker.service")
  if not at_boot: failed += missing_containers(notes)
  if failed: sys.exit(f"What was here before is back, but does not run: {', '.join(failed)}. Run this again: sudo sh {JOURNAL}/bundle/move-in.sh move-out")
  aside, packages = read(JOURNAL + "/aside"), [name for each in notes if each["kind"] == "packages" for name in each["names"]]
  unguard()
  forget()
  print("What was here before is back" + (", and runs." if here else "."))
  if aside: print(f"What ours had is in {aside}: settings, secrets, recordings and backups.")
  if packages: print(f"These packages were new, and stay: {' '.join(packages)}")

def missing_containers(notes):
  """Containers that no longer exist, and that no unit of theirs makes again."""
  if any(each["kind"] == "unit" and each["active"] for each in notes): return []
  return [each["name"] for each in notes if each["kind"] == "container" and not works("docker", "inspect", each["id"])]

def forget():
  """Nothing stays of the journal but the logs."""
  for path in files(JOURNAL + "/*"):
    if path.endswith(("/side", "/log", "/containers.log")): continue
    shutil.rmtree(ROOT + path) if os.path.isdir(ROOT + path) else os.remove(ROOT + path)
  if os.path.exists(ROOT + JOURNAL + "/side"): os.remove(ROOT + JOURNAL + "/side")

def begin_move_out():
  """From here on a boot goes back to theirs, and ends what this begins."""
  if read(JOURNAL + "/side") == "ours":
    put(JOURNAL + "/aside", HERE + time.strftime(".moved-out-%Y-%m-%d-%H%M%S") + "\n")
    put(JOURNAL + "/side", "theirs\n")
  guard()

def inventory():
  """What ours has made, for the question before the way back."""
  for path, words in ((HERE + "/out/**/*", "recordings"), ("/var/backups/livekit/livekit-*", "backups")):
    some = [each for each in glob.glob(ROOT + path, recursive=True) if os.path.isfile(each)]
    if some: yield f"{len(some)} {words}"

def main():
  options = argparse.ArgumentParser(prog="move-in.sh", add_help=False)
  options.add_argument("step")
  options.add_argument("--livekit", default="")
  options.add_argument("--also", action="append", default=[])
  options.add_argument("--keys", type=lambda text: text.split(","), default=[])
  options.add_argument("--new-keys", action="store_true")
  given = options.parse_args()
  if given.step == "check": print(*summary(plan(given)), sep="\n")
  elif given.step == "begin": plan(given), begin()
  elif given.step == "packages":
    # A package may start it.
    if not run("systemctl", "is-active", "docker.service"): note(kind="engine", enabled=run("systemctl", "is-enabled", "docker.service"))
    missing = missing_packages()
    note(kind="packages", names=missing)
    print(*missing)
  elif given.step == "record": record(plan(given))
  elif given.step == "stop": stop()
  elif given.step == "exchange": exchange()
  elif given.step == "finish": put(JOURNAL + "/side", "ours\n"), unguard(), os.remove(ROOT + JOURNAL + "/keys")
  elif given.step == "unguard": unguard()
  elif given.step == "begin-move-out": begin_move_out()
  elif given.step == "inventory": print(*inventory(), sep=", ")
  elif given.step in ("back", "boot"): back(given.step == "boot")

main()
