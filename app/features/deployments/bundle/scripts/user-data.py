#!/usr/bin/python3 -Wi
# Secret: it holds a token.
import hashlib, io, os, tarfile, time, urllib.request as web

url = "@URL@/v1/archive"
key = {"Authorization":"Bearer @TOKEN@"}
sha = "@SHA256@"
# Each boot goes on here until the archive has a file of this name, its last one.
boot = "/var/lib/cloud/scripts/per-boot/50-livekit"
os.system(f"[ -e {boot} ]||cp {__file__} {boot}")
for _ in range(60):
    try:
        got = web.urlopen(web.Request(url, sha.encode(), key), None, 60).read()
        if hashlib.sha256(got).hexdigest() == sha: break
        why = "Other files came than these."
    except Exception as e:
        why = e
        if hasattr(e, "code"):
            # A proxy may answer with any bytes and any status. Only the console's word on the token ends the tries.
            got = e.read(999).decode("l1")
            why = got.split("say ")[-1].strip()
            if "refused token" in got: exit(why)
    print(why, "Next try in a minute.", flush=1)
    time.sleep(60)
else:
    exit("No files came. The next boot tries again.")
tarfile.open(fileobj=io.BytesIO(got)).extractall("/")
os.execv(boot, [boot])
