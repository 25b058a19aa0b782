# Lines that Caddy writes, for sessions.py: which of them the console has, and how many rolled away before it had them.
import hashlib
import os
import re

# A full file gets a name of its own. Caddy v2.11 rolls by timberjack: NAME-TIME-size.log (v2.11.4 has v1.4.2, whose
# backupNameWithResolved in timberjack.go says so). Caddy v2.10 rolled by lumberjack v2.2: NAME-TIME.log.
TIME = r"-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{3}"
REASON = r"-[a-z0-9_-]+"
# A first line is longer only if somebody made it so.
MOST_FIRST = 1_000_000


def beginning(numbers):
    place = {"file": "", "offset": 0, "line": 0, "number": 0, "lost": 0, "refused": 0}
    return {"spool": os.urandom(8).hex(), "place": place, "counted": {}, "known": numbers(place)}


# The files of a log, the oldest first, by what identifies each: its first line. A roll changes the name only.
def files(folder, log):
    try:
        names = [name for name in os.listdir(folder) if re.fullmatch(f"{log}({TIME}({REASON})?)?\\.log", name)]
    except OSError:
        return {}
    found = {}
    for name in sorted(names, key=lambda name: (name == f"{log}.log", name)):
        try:
            with open(f"{folder}/{name}", "rb") as file:
                first = file.readline(MOST_FIRST)
        except OSError:
            continue
        if first.endswith(b"\n") or len(first) == MOST_FIRST:
            found[hashlib.sha256(first).hexdigest()[:16]] = f"{folder}/{name}"
    return found


# Caddy v2.11 leaves the files alone that v2.10 rolled. Those before the one of the place were read.
def remove_former(folder, log, place):
    for identifier, path in files(folder, log).items():
        if identifier == place:
            break
        if re.fullmatch(f"{log}{TIME}\\.log", os.path.basename(path)):
            os.remove(path)


# Counts the lines of each file, so that those of one that rolled away are known; and goes on behind what was lost.
def count(log, found):
    former, place = log["counted"], log["place"]
    log["counted"] = {name: whole_lines(path, *former.get(name, (0, 0))) for name, path in found.items()}
    order = list(former)
    is_known = place["file"] in former
    read = order[: order.index(place["file"])] if is_known else []
    lost = sum(former[name][1] for name in order if name not in found and name not in read)
    if place["file"] not in found:
        lost -= place["line"] if is_known else 0
        place.update(file=next((name for name in found if name not in read), ""), offset=0, line=0)
    place["number"] += lost
    place["lost"] += lost


def whole_lines(path, size, lines):
    with open(path, "rb") as file:
        file.seek(size)
        for line in file:
            if not line.endswith(b"\n"):
                break
            size += len(line)
            lines += 1
    return [size, lines]


# The lines behind a place as the report has them, and the place behind these. `parse` says of a line what it adds to
# those that were refused, and its fields, if it has any.
def unread(place, found, kind, parse, limits):
    place = dict(place)
    most, most_bytes, most_read = limits
    lines, size, read = [], 0, 0
    order = list(found)
    for name in order[order.index(place["file"]) :] if place["file"] in found else []:
        if name != place["file"]:
            place.update(file=name, offset=0, line=0)
        with open(found[name], "rb") as file:
            file.seek(place["offset"])
            for line in file:
                if not line.endswith(b"\n"):
                    break
                refused, fields = parse(line)
                text = "\t".join([kind, str(place["number"] + 1), *fields]) + "\n" if fields else ""
                read += 1
                size += len(text)
                if size > most_bytes or read > most_read or (text and len(lines) >= most):
                    return lines, place
                place["offset"] += len(line)
                place["line"] += 1
                place["number"] += 1
                place["refused"] += refused
                if text:
                    lines.append(text)
    return lines, place
