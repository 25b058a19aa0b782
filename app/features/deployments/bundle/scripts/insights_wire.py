# Reads what LiveKit's Agents SDKs send: OTLP as protobuf and as JSON, and the parts of a recording.
# Field numbers: opentelemetry-proto 1; livekit's MetricsRecordingHeader. ValueError: it is not in that form.
import json
import mmap
import re
import struct
import zlib

# One batch of 63 turns, whose spans repeat the whole talk, has 1.8 MB.
MAX_UNPACKED = 32_000_000
MAX_DEPTH = 12


def unpacked(data, encoding):
    if encoding not in ("gzip", "deflate"):
        return data
    unpacker = zlib.decompressobj(47)
    try:
        found = unpacker.decompress(data, MAX_UNPACKED)
    except zlib.error as error:
        raise ValueError("compression") from error
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError("too large unpacked, or not whole")
    return found


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("varint")


# (number, value) of each field: an int, or bytes. A group, which OTLP has not, is refused.
def fields(data):
    at, end = 0, len(data)
    try:
        while at < end:
            key, at = varint(data, at)
            kind = key & 7
            if kind == 0:
                value, at = varint(data, at)
            elif kind == 1:
                value, at = data[at : at + 8], at + 8
            elif kind == 2:
                length, at = varint(data, at)
                value, at = data[at : at + length], at + length
            elif kind == 5:
                value, at = data[at : at + 4], at + 4
            else:
                raise ValueError("wire type")
            if at > end:
                raise ValueError("early end")
            yield key >> 3, value
    except IndexError as error:
        raise ValueError("early end") from error


def message(data):
    found = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def is_bytes(value):
    return isinstance(value, (bytes, bytearray, memoryview))


def one(found, number, otherwise=b""):
    values = found.get(number)
    return values[-1] if values else otherwise


def parts(found, number):
    return [value for value in found.get(number, []) if is_bytes(value)]


def text(value):
    return bytes(value).decode("utf-8", "replace") if is_bytes(value) else ""


def nanos(value):
    return struct.unpack("<Q", value)[0] if is_bytes(value) and len(value) == 8 else 0


def signed(value):
    return value - (1 << 64) if isinstance(value, int) and value >= 1 << 63 else value


def any_value(data, depth=0):
    if depth > MAX_DEPTH:
        return None
    for number, value in fields(data):
        if number == 1:
            return text(value)
        if number == 2:
            return bool(value)
        if number == 3:
            return signed(value)
        if number == 4 and is_bytes(value) and len(value) == 8:
            return struct.unpack("<d", value)[0]
        if number == 5 and is_bytes(value):
            return [any_value(each, depth + 1) for each in parts(message(value), 1)]
        if number == 6 and is_bytes(value):
            return attributes(parts(message(value), 1), depth + 1)
    return None


def attributes(pairs, depth=0):
    found = {}
    for pair in pairs:
        entry = message(pair)
        value = one(entry, 2)
        found[text(one(entry, 1))] = any_value(value, depth) if is_bytes(value) else None
    return found


# (scope's name, its attributes, item) of a request: 1 resource{2 scope{1 scope, 2 items}}.
def items(data):
    for resource in parts(message(data), 1):
        for scope in parts(message(resource), 2):
            found = message(scope)
            named = message(one(found, 1)) if is_bytes(one(found, 1)) else {}
            for item in parts(found, 2):
                yield text(one(named, 1)), attributes(parts(named, 3)), message(item)


def spans(data):
    for _, _, span in items(data):
        status = message(one(span, 15)) if is_bytes(one(span, 15)) else {}
        yield {
            "id": bytes(one(span, 2)).hex(),
            "parent": bytes(one(span, 4)).hex(),
            "name": text(one(span, 5)),
            "start": nanos(one(span, 7)),
            "end": nanos(one(span, 8)),
            "attributes": attributes(parts(span, 9)),
            "failed": one(status, 3, 0) == 2,
        }


def logs(data):
    for scope, of_scope, record in items(data):
        body = one(record, 5)
        yield {
            "logger": scope,
            "scope": of_scope,
            "at": nanos(one(record, 1)) or nanos(one(record, 11)),
            "severity": text(one(record, 3)),
            "body": any_value(body) if is_bytes(body) and body else "",
            "attributes": attributes(parts(record, 6)),
        }


# Sums and histograms: what a point adds, and of how many.
def metrics(data):
    for _, _, metric in items(data):
        for kind in (7, 9):
            for holder in parts(metric, kind):
                for found in map(message, parts(message(holder), 1)):
                    if kind == 7:
                        double, whole = one(found, 4), one(found, 6)
                        value = struct.unpack("<d", double)[0] if len(double) == 8 else signed(nanos(whole))
                        count, pairs = 1, parts(found, 7)
                    else:
                        total = one(found, 5)
                        value = struct.unpack("<d", total)[0] if len(total) == 8 else 0.0
                        count, pairs = nanos(one(found, 4)), parts(found, 9)
                    yield {
                        "name": text(one(metric, 1)),
                        "at": nanos(one(found, 3)),
                        "value": value,
                        "count": count,
                        "attributes": attributes(pairs),
                    }


def listed(value, name):
    found = value.get(name) if isinstance(value, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def json_value(value, depth=0):
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return None
    for kind, found in value.items():
        if kind == "intValue":
            return int(found) if re.fullmatch("-?[0-9]{1,19}", str(found)) else None
        if kind in ("stringValue", "boolValue", "doubleValue"):
            return found
        if kind == "arrayValue":
            return [json_value(each, depth + 1) for each in listed(found, "values")]
        if kind == "kvlistValue":
            return json_attributes(listed(found, "values"), depth + 1)
    return None


def json_attributes(pairs, depth=0):
    return {str(pair.get("key")): json_value(pair.get("value"), depth) for pair in pairs}


def json_nanos(value):
    return int(value) if re.fullmatch("[0-9]{1,19}", str(value)) else 0


# JavaScript's SDK sends its logs as JSON.
def json_logs(data):
    request = json.loads(data)
    for resource in listed(request, "resourceLogs"):
        for group in listed(resource, "scopeLogs"):
            scope = group.get("scope") if isinstance(group.get("scope"), dict) else {}
            for record in listed(group, "logRecords"):
                yield {
                    "logger": str(scope.get("name", "")),
                    "scope": json_attributes(listed(scope, "attributes")),
                    "at": json_nanos(record.get("timeUnixNano")) or json_nanos(record.get("observedTimeUnixNano")),
                    "severity": str(record.get("severityText", "")),
                    "body": json_value(record.get("body")) or "",
                    "attributes": json_attributes(listed(record, "attributes")),
                }


# The parts of a recording's body, by their names: where each begins and ends in the file, in which it begins at `at`. What
# was cut off is not there, but where the whole body was: its last part.
def multipart(path, content_type, at=0, is_cut=False):
    boundary = re.search(r'boundary="?([^";]{1,200})', content_type)
    if not boundary:
        raise ValueError("boundary")
    line = b"--" + boundary[1].encode("latin-1", "replace")
    found = {}
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as body:
        at = body.find(line, at)
        while at >= 0:
            head_at = at + len(line)
            head_end = body.find(b"\r\n\r\n", head_at, head_at + 4_000)
            if head_end < 0:
                break
            following = body.find(b"\r\n" + line, head_end)
            end = len(body) if following < 0 and is_cut else following
            name = re.search(rb'[; ]name="?([a-z_]{1,40})', body[head_at:head_end])
            if end < 0:
                break
            if name:
                found[name[1].decode()] = (head_end + 4, end)
            at = following + 2 if following >= 0 else -1
    return found


# MetricsRecordingHeader. The summary is JSON with counts, without speech; JavaScript's SDK sends none.
def recording_header(data):
    found = message(data)
    start = message(one(found, 4)) if is_bytes(one(found, 4)) else {}
    summary = text(one(found, 11))
    try:
        stated = json.loads(summary) if summary else {}
    except ValueError:
        stated = {}
    return {
        "room": text(one(found, 1)),
        "duration": one(found, 3, 0) if isinstance(one(found, 3, 0), int) else 0,
        "start": one(start, 1, 0) * 1000 if isinstance(one(start, 1, 0), int) else 0,
        "room_name": text(one(found, 6)),
        "job": text(one(found, 8)),
        "summary": stated if isinstance(stated, dict) else {},
    }
