import signal, uuid

SECRET = "/secret/"

# A cluster has neither a machine's id nor a boot: both are made of the seed, on whichever node this runs.
def identity(): return ("machine", digest("livekit-deploy:" + read(SECRET + "seed"))), ("instance", "-")

def livekit():
  """LiveKit by its service's name in the cluster, such as livekit-server.default.svc, with the port where it is not 80."""
  host, _, port = read(SECRET + "service").partition(":")
  name, space = (host.split(".") + ["default"])[:2]
  return {
    "where": f"{space}/{name}", "name": name, "port": port or "80", "metrics": read(SECRET + "metrics") or "6789",
    "reach": lambda port: f"{host}:{port}",
  }

def records(seq):
  server, now = livekit(), int(time.time())
  figures = list(metrics(server))
  yield "livekit-deploy-report", 1
  yield from (("seq", seq), ("boot", uuid.UUID(digest("boot:" + read(SECRET + "seed"))[:32])), *identity(), ("at", now), ("doctor", now))
  yield "version", digest(read(SECRET + "seed") + server["where"])
  yield "layout", "kubernetes", server["where"], "", server["name"], "", "", ""
  yield "fact", "answers", "yes" if fetch(server, server["port"], "/").strip() == "OK" else "no"
  if not figures: yield "fact", "metrics", "no"
  if read(SECRET + "domain"): yield "domain", read(SECRET + "domain")
  yield from figures

def run():
  write(HERE + "console-url", read(SECRET + "console"))
  write(HERE + "token", read(SECRET + "token"))
  # The same token with the same secret is the same server, so that nothing has to be stored when the pod moves.
  write(HERE + "server.key.pending", digest("key:" + read(SECRET + "seed") + read(SECRET + "token"))[:43])
  status, answer = enrol(), ""
  while status == 1:
    time.sleep(60)
    status = enrol()
  if status: return status
  while True:
    # Larger than that of any report of before, also of another pod's.
    write(RUN + "seq", int(time.time()))
    report()
    if read(RUN + "answer") != answer:
      answer = read(RUN + "answer")
      print("The last report was " + answer, file=sys.stderr)
    time.sleep(60)

# The first process of a container ends by this signal only where it says how.
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
sys.exit(run())
