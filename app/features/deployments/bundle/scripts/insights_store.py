# What agents sent, on this machine: first as it came, then in a database, and sound as a file for each job.
import json
import os
import queue
import re
import sqlite3
import threading
import time
from contextlib import closing

import insights_summary
import insights_wire

JOB, ROOM = re.compile("AJ_[A-Za-z0-9]{4,40}"), re.compile("RM_[A-Za-z0-9]{4,40}")
MAX_LOGS, MAX_SPANS, MAX_TEXT, MAX_TALK = 5_000, 20_000, 2_000, 8_000_000
# How many of the newest sessions wait for the console, and for how many seconds nothing more is to come of one.
MAX_JOBS, QUIET = 300, 90
# What a span says beside times and names. The talk itself is kept once, not in each span of it.
SPAN_DATA = re.compile(
    r"lk\.(response\.ttft|interrupted|close_reason|job\.dispatch_latency|function_tool\.(name|is_error))"
    r"|gen_ai\.(usage\..*|request\.model|provider\.name)"
)
TABLES = """
create table if not exists jobs (
  job text primary key, room text default '', room_name text default '', agent text default '', sdk text default '',
  started integer default 0, ended integer default 0, seen integer default 0, summary text default '{}',
  talk text default '', audio integer default 0, cut integer default 0, recorded integer default 0, revision integer default 0);
create table if not exists items (job text, id text, at integer, item text, primary key (job, id));
create table if not exists spans (
  id text primary key, job text, parent text, name text, started integer, ended integer, failed integer, data text);
create index if not exists spans_of_job on spans (job);
create table if not exists logs (
  job text, at integer, severity text, logger text, body text, primary key (job, at, severity, logger, body));
create table if not exists usage (job text, name text, at integer, attributes text, value real, count integer,
  primary key (job, name, at, attributes));
create table if not exists counts (name text primary key, value integer);
"""


def text(value):
    return value if isinstance(value, str) else ""


class Body:
    """A request's body. fault: "", "cut" (the disk was too slow for the rest) or "broken"."""

    def __init__(self, path, kind, content_type, encoding):
        self.path, self.kind, self.content_type, self.encoding = path, kind, content_type, encoding.lower().strip()
        self.fault, self.file, self.size = "", None, 0


class Store:
    def __init__(self, folder, days, max_bytes):
        self.folder, self.days, self.max_bytes = folder, days, max_bytes
        self.ready, self.lock, self.number = queue.SimpleQueue(), threading.Lock(), 0
        for name in ("incoming", "audio"):
            os.makedirs(f"{folder}/{name}", 0o700, exist_ok=True)
        # What waited when the service ended was answered with 200 already.
        for name in sorted(os.listdir(f"{folder}/incoming")):
            self.recover(f"{folder}/incoming/{name}")
        self.database = sqlite3.connect(f"{folder}/insights.db")
        self.database.execute("pragma journal_mode=wal")
        self.database.execute("pragma auto_vacuum=incremental")
        self.database.executescript(TABLES)

    def recover(self, path):
        if path.endswith(".body"):
            try:
                with open(f"{path}.json", encoding="utf-8") as file:
                    body = Body(path, *json.load(file))
                return self.ready.put(body)
            except (OSError, ValueError, TypeError):
                os.unlink(path)
        elif not os.path.exists(path.removesuffix(".json")):
            os.unlink(path)

    def begin(self, kind, content_type, encoding):
        with self.lock:
            self.number += 1
            name = f"{time.time_ns():020}-{self.number}.body"
        return Body(f"{self.folder}/incoming/{name}", kind, content_type[:300], encoding[:40])

    def append(self, body, chunk):
        if body.file is None:
            body.file = open(body.path, "wb", buffering=0)
        body.file.write(chunk)
        body.size += len(chunk)

    # Its description is written last: without one a body is not whole.
    def finish(self, body):
        if body.file:
            body.file.close()
        if body.fault == "broken" or not body.size:
            self.remove(body)
            return
        with open(f"{body.path}.json", "w", encoding="utf-8") as file:
            json.dump([body.kind, body.content_type, body.encoding], file)
        self.ready.put(body)

    def remove(self, body):
        for path in (body.path, f"{body.path}.json"):
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass

    # Reads one body, if one comes within that many seconds.
    def work(self, seconds):
        try:
            body = self.ready.get(timeout=seconds)
        except queue.Empty:
            return
        try:
            with self.database:
                if body.kind == "deletion":
                    self.delete_jobs(body.content_type)
                else:
                    self.take(body)
        # Whatever an agent sends: the next body is read all the same.
        except Exception as error:
            with self.database:
                self.count("unreadable")
            print(f"A body of {body.kind} could not be read: {type(error).__name__}", flush=True)
        self.remove(body)
        self.write_outbox()

    def count(self, name, more=1):
        self.database.execute(
            "insert into counts values (?, ?) on conflict (name) do update set value = value + excluded.value", (name, more)
        )

    def take(self, body):
        self.count(body.kind)
        if body.fault == "cut":
            self.count("cut")
        if body.kind == "recordings":
            return self.take_recording(body)
        with open(body.path, "rb") as file:
            data = insights_wire.unpacked(file.read(), body.encoding)
        is_json = body.content_type.startswith("application/json")
        if body.kind == "traces":
            for span in insights_wire.spans(data):
                self.take_span(span)
        elif body.kind == "logs":
            for record in insights_wire.json_logs(data) if is_json else insights_wire.logs(data):
                self.take_log(record)
        else:
            for point in insights_wire.metrics(data):
                self.take_point(point)

    # The row of a job, changed now. "" where the ids are none of LiveKit's.
    def job(self, attributes, at=0):
        job, room = text(attributes.get("job_id")), text(attributes.get("room_id"))
        if not JOB.fullmatch(job):
            return ""
        self.database.execute("insert or ignore into jobs (job) values (?)", (job,))
        [revision] = self.database.execute("select coalesce(max(revision), 0) + 1 from jobs").fetchone()
        self.database.execute(
            "update jobs set revision = ?, seen = ?, room = case when ? <> '' then ? else room end,"
            " started = case when ? > 0 and (started = 0 or ? < started) then ? else started end,"
            " ended = max(ended, ?) where job = ?",
            (revision, int(time.time()), *[room if ROOM.fullmatch(room) else ""] * 2, at, at, at, at, job),
        )
        return job

    def take_span(self, span):
        attributes = span["attributes"]
        begun, ended = span["start"] // 1_000_000, span["end"] // 1_000_000
        job = self.job(attributes, begun)
        [known] = self.database.execute("select count(*) from spans where job = ?", (job,)).fetchone()
        if not job or not span["id"] or known >= MAX_SPANS:
            return
        data = {name: value for name, value in attributes.items() if SPAN_DATA.fullmatch(name) and len(str(value)) <= 200}
        self.database.execute("update jobs set ended = max(ended, ?) where job = ?", (ended, job))
        self.set_agent(job, attributes.get("lk.agent_name"))
        self.database.execute(
            "insert or replace into spans values (?, ?, ?, ?, ?, ?, ?, ?)",
            (span["id"], job, span["parent"], span["name"][:100], begun, ended, int(span["failed"]), json.dumps(data)),
        )

    def set_agent(self, job, name):
        if text(name):
            self.database.execute("update jobs set agent = ? where job = ?", (name[:100], job))

    def take_log(self, record):
        attributes, at = record["attributes"], record["at"] // 1_000_000
        job = self.job({**record["scope"], **attributes}, at)
        if not job:
            return
        self.set_agent(job, attributes.get("lk.agent_name") or attributes.get("agent_name"))
        item = attributes.get("chat.item")
        if isinstance(item, dict):
            return self.take_item(job, at, item)
        if "session.options" in attributes or "sdk_version" in attributes:
            version = text(attributes.get("sdk_version"))[:40]
            self.database.execute("update jobs set sdk = ? where job = ?", (version, job))
            if isinstance(attributes.get("usage"), list):
                self.add_summary(job, {"usage": attributes["usage"]})
        [known] = self.database.execute("select count(*) from logs where job = ?", (job,)).fetchone()
        if known < MAX_LOGS:
            said = [record["body"], *(attributes.get(f"exception.{name}") for name in ("type", "message"))]
            body = " ".join(text(each) for each in said if text(each))[:MAX_TEXT]
            values = (job, at, record["severity"][:20], record["logger"][:100], body)
            self.database.execute("insert or ignore into logs values (?, ?, ?, ?, ?)", values)

    # An item of the talk, as it has it in logs: {"message": {…}}, as a recording has it: {"type": "message", …}.
    def take_item(self, job, at, item):
        for kind, found in item.items():
            if isinstance(found, dict) and kind in ("message", "function_call", "function_call_output"):
                stated = {"created_at": at, **insights_summary.snaked(found), "type": kind}
                name = text(stated.get("id")) or f"{kind}-{stated.get('call_id')}-{at}"
                values = (job, name[:100], at, json.dumps(stated)[:MAX_TALK])
                self.database.execute("insert or replace into items values (?, ?, ?, ?)", values)

    def take_point(self, point):
        attributes = point["attributes"]
        job = self.job(attributes)
        if job:
            named = {name: attributes[name] for name in sorted(attributes) if name not in ("job_id", "room_id")}
            values = (job, point["name"][:100], point["at"] // 1_000_000, json.dumps(named)[:500], point["value"], point["count"])
            self.database.execute("insert or replace into usage values (?, ?, ?, ?, ?, ?)", values)

    def add_summary(self, job, stated):
        [known] = self.database.execute("select summary from jobs where job = ?", (job,)).fetchone()
        merged = json.dumps({**json.loads(known), **stated})
        if len(merged) < 100_000:
            self.database.execute("update jobs set summary = ? where job = ?", (merged, job))

    def take_recording(self, body):
        found = insights_wire.multipart(body.path, body.content_type, body.fault == "cut")
        with open(body.path, "rb") as file:

            def part(name, most):
                start, end = found.get(name, (0, 0))
                file.seek(start)
                return file.read(end - start) if end - start <= most else b""

            header = insights_wire.recording_header(part("header", 1_000_000))
            summary = header["summary"]
            job = self.job({"job_id": header["job"], "room_id": header["room"]}, header["start"])
            if not job:
                raise ValueError("header")
            self.count("recorded")
            length = number_of(summary.get("duration_ms")) or header["duration"]
            self.database.execute(
                "update jobs set room_name = ?, sdk = case when ? <> '' then ? else sdk end, ended = max(ended, ?), cut = ?,"
                " recorded = 1 where job = ?",
                (
                    *(header["room_name"][:200], *[text(summary.get("sdk_version"))[:40]] * 2),
                    *(header["start"] + length if header["start"] else 0, int(body.fault == "cut"), job),
                ),
            )
            self.set_agent(job, summary.get("agent_name"))
            self.add_summary(job, summary)
            talk = part("chat_history", MAX_TALK)
            if talk:
                stated = json.loads(talk)
                talk_items = stated.get("items") if isinstance(stated, dict) else None
                if isinstance(talk_items, list):
                    self.database.execute("update jobs set talk = ? where job = ?", (json.dumps(talk_items), job))
            self.write_audio(job, file, *found.get("audio", (0, 0)))

    # A file without any sound has 228 bytes.
    def write_audio(self, job, file, start, end):
        if end - start <= 300:
            return
        path = self.audio_path(job)
        with open(f"{path}.new", "wb") as audio:
            file.seek(start)
            left = end - start
            while left > 0:
                chunk = file.read(min(1_000_000, left))
                audio.write(chunk)
                left -= len(chunk)
        os.rename(f"{path}.new", path)
        self.database.execute("update jobs set audio = ? where job = ?", (end - start, job))

    def audio_path(self, job):
        return f"{self.folder}/audio/{job}.ogg"

    # The whole session, for whom the machine gave a token. Called by threads of requests.
    def session(self, job):
        with closing(sqlite3.connect(f"file:{self.folder}/insights.db?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            found = database.execute("select * from jobs where job = ?", (job,)).fetchone()
            if not found:
                return None
            rows = {
                name: [dict(row) for row in database.execute(f"select * from {name} where job = ? order by {order}", (job,))]
                for name, order in (("spans", "started"), ("logs", "at"))
            }
            return {**dict(found), **rows, "summary": json.loads(found["summary"]), "talk": self.talk_of(database, found)}

    def talk_of(self, database, job):
        if job["talk"]:
            return json.loads(job["talk"])
        items = database.execute("select item from items where job = ? order by at, rowid", (job["job"],))
        return [json.loads(row["item"]) for row in items]

    # What the report sends: the newest record of each job that changed lately, by revision.
    def write_outbox(self):
        if not self.ready.empty():
            return
        self.database.row_factory = sqlite3.Row
        # A session that is still heard from is not over.
        over = "select * from jobs where recorded = 1 or seen < ? order by revision desc limit ?"
        jobs = self.database.execute(over, (int(time.time()) - QUIET, MAX_JOBS)).fetchall()
        self.replace("outbox", "".join(line for job in reversed(jobs) for line in self.lines(job)))
        counts = {row["name"]: row["value"] for row in self.database.execute("select * from counts")}
        self.replace("status.json", json.dumps({**counts, "jobs": self.total("count(*)"), "bytes": self.bytes()}))

    def lines(self, job):
        spans = self.database.execute(
            "select name, started, ended, failed, data from spans where job = ? and name in"
            " ('function_tool', 'agent_turn', 'llm_request') order by started limit 2000",
            (job["job"],),
        )
        return insights_summary.report_lines(
            {
                **{name: job[name] for name in ("job", "room", "agent", "sdk", "started", "ended", "revision")},
                "summary": json.loads(job["summary"]),
                "items": self.talk_of(self.database, job),
                "spans": [{**dict(span), "data": json.loads(span["data"])} for span in spans],
                "has_audio": job["audio"] > 0,
                "is_cut": job["cut"] > 0,
            }
        )

    def replace(self, name, content):
        path = f"{self.folder}/{name}"
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            file.write(content)
        os.rename(f"{path}.new", path)

    def total(self, what):
        return self.database.execute(f"select {what} from jobs").fetchone()[0] or 0

    def bytes(self):
        pages, size = (self.database.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "page_size"))
        return self.total("sum(audio)") + pages * size

    # Deletes what is too old, and the oldest while there is too much.
    def sweep(self, now):
        with self.database:
            old = self.database.execute("select job from jobs where seen < ?", (int(now - self.days * 86_400),)).fetchall()
            for [job] in old:
                self.delete(job)
        while self.bytes() > self.max_bytes:
            oldest = self.database.execute("select job from jobs order by seen, revision limit 1").fetchone()
            if not oldest:
                break
            with self.database:
                self.delete(oldest[0])
                self.count("removed")
            self.database.execute("pragma incremental_vacuum")
            self.database.execute("pragma wal_checkpoint(truncate)")
        self.write_outbox()

    # Those of a request: of one job, or of all.
    def delete_jobs(self, name):
        jobs = self.database.execute("select job from jobs where ? in ('all', job)", (name,)).fetchall()
        for [job] in jobs:
            self.delete(job)

    def delete(self, job):
        for name in ("items", "spans", "logs", "usage", "jobs"):
            self.database.execute(f"delete from {name} where job = ?", (job,))
        try:
            os.unlink(self.audio_path(job))
        except FileNotFoundError:
            pass


def number_of(value):
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else 0
