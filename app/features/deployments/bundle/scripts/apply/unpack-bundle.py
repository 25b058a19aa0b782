# Unpacks the zip of a bundle for apply.sh. It refuses what no bundle has: folders in its folder, links, a name twice, too
# many or too large files. files.txt says where each file belongs: a line is `MODE NAME PATH` or `package NAME`.
import re, stat, sys, zipfile
source, target = sys.argv[1:]
def refuse(words): sys.exit(words)
try:
    bundle = zipfile.ZipFile(source)
    entries = bundle.infolist()
    if len(entries) > 200 or sum(e.file_size for e in entries) > 20000000: refuse("It is larger than a bundle.")
    names = {}
    for entry in entries:
        found = re.fullmatch(r"([A-Za-z0-9._-]+)/([A-Za-z0-9_-][A-Za-z0-9._-]*)", entry.filename)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if not found or found[1] in (".", "..") or kind not in (0, stat.S_IFREG): refuse("It holds something else than files of a bundle: %r." % entry.filename)
        if found[2] in names: refuse("It holds a name twice: %s." % found[2])
        names[found[2]] = entry
    if "files.txt" not in names: refuse("It has no files.txt: make the files again on the site.")
    lines = bundle.read(names["files.txt"]).decode("ascii").splitlines()
    taken = []
    for line in lines:
        if re.fullmatch(r"package [a-z0-9][a-z0-9.+-]*", line): continue
        found = re.fullmatch(r"(0644|0640|0600|0755) ([A-Za-z0-9._-]+) (/(?:opt/livekit|etc|usr/bin)/[A-Za-z0-9._/-]+)", line)
        if not found or ".." in line or found[2] not in names or found[3].startswith(("/opt/livekit/state/", "/opt/livekit/data/", "/opt/livekit/out/")): refuse("files.txt has a wrong line: %r." % line)
        taken.append(found[2])
    for name in taken:
        with open(target + "/" + name, "wb") as file: file.write(bundle.read(names[name]))
    with open(target + "/../files.txt", "w") as file: file.write("\n".join(lines) + "\n")
except (zipfile.BadZipFile, OSError, UnicodeDecodeError, NotImplementedError, RuntimeError, ValueError) as problem:
    refuse("It cannot be read: %s." % problem)
