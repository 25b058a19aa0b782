# Whether people approved a version with their passkeys, by what this machine knows of them alone; no word of the console
# counts. The list of approvers is changed by a person here.
# approval.py verify ORDER MANIFEST ROLLOUT | files MANIFEST ZIP | installed MANIFEST ROOT | enrol ANSWER | compare ANSWER | remove FINGERPRINTS
# Exit: 0 it is right, 1 not, with the reason.
import base64, hashlib, json, os, re, subprocess, sys, tempfile, time, zipfile

APPROVERS = "approvers"
# The console sets a day.
MAX_VALID_SECONDS = 2 * 86400
# What each form of a manifest says beside servers and files. One that says more is not begun: it may be a condition.
FORMS = {"1": {"rollout", "deployment", "version", "generator", "lower", "ends"}}
FORMS["2"] = FORMS["1"] | {"begins"}
SITE = re.compile(r"https://[a-z0-9.-]+(:\d+)?|http://localhost(:\d+)?")
# What stands before the point of a P-256 key.
SPKI = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")

def refuse(words): sys.exit(words)
def read(path):
    with open(path, encoding="ascii", errors="strict") as file: return file.read()
def unpadded(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
def padded(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
def grouped(fingerprint): return " ".join(re.findall("....", fingerprint))
def put(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(path + ".new", 0o644)
    os.replace(path + ".new", path)

def key_of(words):
    """A line's fingerprint, person, credential, key and name; None where its parts do not belong together."""
    found = re.fullmatch(r"([0-9a-f]{32}) ([0-9a-f-]{36}) ([A-Za-z0-9_-]{1,1400}) ([A-Za-z0-9+/]{122}==) ([\x21-\x7e]{1,100})", words)
    if not found: return None
    spki = base64.b64decode(found[4])
    if len(spki) != 91 or not spki.startswith(SPKI) or hashlib.sha256(spki).hexdigest()[:32] != found[1]: return None
    return dict(zip(("fingerprint", "person", "credential", "key", "name"), found.groups()))

def local_approvers():
    """Who approves here: how many are needed, the site that passkeys are used at, and the keys."""
    needed, origin, keys = 1, "", []
    try: lines = read(APPROVERS).splitlines()
    except OSError: lines = []
    for line in lines:
        name, _, value = line.partition(" ")
        if name == "needed" and value in ("1", "2"): needed = int(value)
        if name == "origin" and SITE.fullmatch(value): origin = value
        if name == "key":
            key = key_of(value)
            if key: keys.append(key)
    return needed, origin, keys

def save(needed, origin, keys):
    lines = ["needed %d" % needed, "origin %s" % origin]
    lines += ["key " + " ".join(key[part] for part in ("fingerprint", "person", "credential", "key", "name")) for key in keys]
    put(APPROVERS, "\n".join(lines) + "\n")

def console_approvers(answer):
    """The same, as the console says it."""
    needed, origin, keys = 1, "", []
    for line in read(answer).splitlines():
        name, _, value = line.partition(" ")
        if name == "approvals-needed" and value in ("1", "2"): needed = int(value)
        if name == "approvals-origin" and SITE.fullmatch(value): origin = value
        if re.fullmatch(r"approver-\d{1,3}", name):
            key = key_of(value)
            if key: keys.append(key)
    return needed, origin, keys

def enrol_approvers(answer):
    """At the enrolment alone: who is known already stays, and nobody is added."""
    if os.path.exists(APPROVERS): return
    needed, origin, keys = console_approvers(answer)
    if origin: save(needed, origin, keys)

def remove_approvers(fingerprints):
    needed, origin, keys = local_approvers()
    gone = set(fingerprints.split(","))
    if any(key["fingerprint"] in gone for key in keys):
        save(needed, origin, [key for key in keys if key["fingerprint"] not in gone])

def confirms(question):
    print(question, end=" ", flush=True)
    return sys.stdin.readline().strip() == "yes"

def compare(answer):
    """Shows who approves here and what the console says; each change is made only where a person agrees."""
    needed, origin, keys = local_approvers()
    their_needed, their_origin, theirs = console_approvers(answer)
    if not their_origin: refuse("The console names no approvers. Add a passkey on its page Approvers first. Nothing was changed.")
    print("On this machine %d must approve. Known here:" % needed)
    for key in keys: print("  %s  %s" % (grouped(key["fingerprint"]), key["name"]))
    if not keys: print("  nobody")
    present = {key["fingerprint"]: key for key in keys}
    listed = {key["fingerprint"]: key for key in theirs}
    if origin and origin != their_origin: print("Passkeys were used at %s until now." % origin)
    for fingerprint, key in listed.items():
        if fingerprint in present: continue
        print("\nThe console has a passkey that is not known here:\n  %s  %s" % (grouped(fingerprint), key["name"]))
        print("Ask that person, by another way than the console, for the fingerprint that they see on their own device.")
        if confirms("Add it? Type yes:"): keys.append(key)
    for fingerprint, key in list(present.items()):
        if fingerprint in listed: continue
        print("\nThe console has this passkey no more:\n  %s  %s" % (grouped(fingerprint), key["name"]))
        if confirms("Remove it here? Type yes:"): keys.remove(key)
    if needed != their_needed and confirms("\nThe console asks that %d approve, here it is %d. Take over %d? Type yes:" % (their_needed, needed, their_needed)): needed = their_needed
    save(needed, their_origin if not origin or confirms_site(origin, their_origin) else origin, keys)
    print("\nOn this machine %d must approve, of %d passkeys." % (needed, len(keys)))

def confirms_site(origin, theirs):
    return origin == theirs or confirms("\nThe console is at %s now. Take passkeys that are used there? Type yes:" % theirs)

def entries(manifest):
    """The lines of a manifest: the single ones by name, servers, and hashes of files."""
    # A shell and this program end a line at the same sign alone.
    if re.search(r"[^\n -~]", manifest): refuse("It holds signs that no manifest has.")
    single, servers, files = {}, [], {}
    lines = manifest.splitlines()
    form = lines[0].partition(" ") if lines else ("", "", "")
    if form[0] != "livekit-deploy-rollout" or form[2] not in FORMS: refuse("It is no rollout that this machine knows.")
    for line in lines[1:]:
        name, _, value = line.partition(" ")
        if name == "server": servers.append(value)
        elif name == "file":
            found = re.fullmatch(r"([0-9a-f]{64}) ([A-Za-z0-9_-][A-Za-z0-9._-]*)", value)
            if not found or found[2] in files: refuse("The list of its files is not right.")
            files[found[2]] = found[1]
        elif name not in FORMS[form[2]]: refuse("It says what this machine does not know: %s." % name[:40])
        elif name in single: refuse("It says twice what its %s is." % name)
        else: single[name] = value
    for name, pattern in {"rollout": "[0-9a-f-]{36}", "deployment": "[0-9a-f-]{36}", "version": r"[1-9]\d{0,8}", "begins": r"\d{1,12}", "ends": r"\d{1,12}", "lower": "yes|no"}.items():
        if name in FORMS[form[2]] and not re.fullmatch(pattern, single.get(name, "")): refuse("It does not say what its %s is." % name)
    if "apply.sh" not in files or "files.txt" not in files: refuse("It names too few files.")
    return single, servers, files

def signature_problem(manifest, assertion, key, origin):
    """Why an assertion is none of this key over this manifest; None where it is one."""
    data, client, signature = (unpadded(part) for part in assertion[1:])
    said = json.loads(client.decode("utf-8"))
    if said.get("type") != "webauthn.get": return "it is for something else"
    if said.get("challenge") != padded(hashlib.sha256(manifest).digest()): return "it is for another version"
    if said.get("origin") != origin or said.get("crossOrigin") not in (None, False): return "it was made on another site"
    host = origin.split("://")[1].split(":")[0]
    if len(data) < 37 or data[:32] != hashlib.sha256(host.encode()).digest(): return "the passkey is for another site"
    if not data[32] & 0x01 or not data[32] & 0x04: return "the person was not verified"
    with tempfile.TemporaryDirectory() as folder:
        pem = "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n" % "\n".join(re.findall(".{1,64}", key["key"]))
        for name, content in ("key", pem.encode()), ("signature", signature), ("data", data + hashlib.sha256(client).digest()):
            with open(folder + "/" + name, "wb") as file: file.write(content)
        made = subprocess.run(["openssl", "dgst", "-sha256", "-verify", folder + "/key", "-signature", folder + "/signature", folder + "/data"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return None if made.returncode == 0 and made.stdout.strip() == b"Verified OK" else "the signature is not of this passkey"

def verify(order, target, rollout):
    lines = {}
    for line in read(order).splitlines():
        name, _, value = line.partition(" ")
        if name in lines: refuse("The order says twice what its %s is." % name)
        lines[name] = value
    manifest = base64.b64decode(lines.get("rollout-manifest", ""), validate=True)
    single, servers, _ = entries(manifest.decode("ascii"))
    server = re.match(r"lkd_s_[0-9a-f]{32}_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_", read("server.key"))
    if not server or "-".join(server.groups()) not in servers: refuse("It is for another server.")
    if single["rollout"] != rollout or lines.get("rollout") != rollout: refuse("It is another rollout than the console names.")
    if int(single["ends"]) <= time.time(): refuse("Its time is over.")
    if int(single["ends"]) > time.time() + MAX_VALID_SECONDS: refuse("Its time ends more than two days from now.")
    try: installed = re.match(r"([0-9a-f-]{36}) ([1-9]\d*) ", read("version.txt"))
    except OSError: installed = None
    if installed and installed[1] != single["deployment"]: refuse("It is of another deployment than the files here.")
    if installed and int(installed[2]) > int(single["version"]) and single["lower"] != "yes": refuse("Version %s runs here, which is newer than version %s." % (installed[2], single["version"]))
    needed, origin, keys = local_approvers()
    people, why = set(), ""
    for name, value in sorted(lines.items()):
        if not re.fullmatch(r"rollout-assertion-\d{1,2}", name): continue
        assertion = value.split(" ")
        key = next((key for key in keys if len(assertion) == 4 and key["credential"] == assertion[0]), None)
        try: problem = signature_problem(manifest, assertion, key, origin) if key else "its passkey is not known here"
        except (ValueError, AttributeError): problem = "it cannot be read"
        if problem: why = " An approval does not count: %s." % problem
        else: people.add(key["person"])
    if len(people) < needed: refuse("%d of %d people approved it.%s" % (len(people), needed, why))
    if int(single.get("begins", 0)) > time.time():
        print("approved, waits for its window")
        return
    with open(target, "wb") as file: file.write(manifest)
    print("approved, lower %s" % single["lower"])

def files(manifest, source):
    _, _, wanted = entries(read(manifest))
    bundle = zipfile.ZipFile(source)
    found = {}
    if len(bundle.infolist()) > 200 or sum(entry.file_size for entry in bundle.infolist()) > 20000000: refuse("It is larger than a bundle.")
    for entry in bundle.infolist():
        folder, _, name = entry.filename.partition("/")
        if folder != "livekit" or name in found: refuse("It holds something else than was approved: %r." % entry.filename)
        found[name] = hashlib.sha256(bundle.read(entry)).hexdigest()
    for name in sorted(set(wanted) | set(found)):
        if wanted.get(name) != found.get(name): refuse("%s is not the file that was approved." % name)
    print("all files are approved")

def installed(manifest, root):
    """Whether every file of the manifest is in use, by files.txt of the bundle that stands beside it."""
    _, _, wanted = entries(read(manifest))
    for line in read(os.path.dirname(manifest) + "/files.txt").splitlines():
        mode, _, rest = line.partition(" ")
        if mode == "package": continue
        name, _, path = rest.partition(" ")
        if name not in wanted or path == "/etc/docker/daemon.json": continue
        try:
            with open(root + path, "rb") as file: content = file.read()
        except OSError: refuse("%s is missing." % path)
        if hashlib.sha256(content).hexdigest() != wanted[name]: refuse("%s is another one." % path)

try:
    {"verify": verify, "files": files, "installed": installed, "enrol": enrol_approvers, "compare": compare, "remove": remove_approvers}[sys.argv[1]](*sys.argv[2:])
except FileNotFoundError as problem:
    refuse("openssl is missing." if problem.filename == "openssl" else "%s is missing." % problem.filename)
except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as problem:
    refuse("It cannot be read: %s." % problem)
