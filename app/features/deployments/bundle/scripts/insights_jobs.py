# What agents' bodies say of their jobs, into a database of this machine, and sound into a file for each job.
import json
import os
import re
import sqlite3
import time

import insights_summary
import insights_wire

JOB, ROOM = re.compile("AJ_[A-Za-z0-9]{4,40}"), re.compile("RM_[A-Za-z0-9]{4,40}")
MAX_LOGS, MAX_SPANS, MAX_ITEMS, MAX_TEXT, MAX_TALK, MAX_ITEM = 5_000, 20_000, 5_000, 2_000, 8_000_000, 200_000
# What a span says beside times and names. The talk itself is kept once, not in each span of it.
SPAN_DATA = re.compile(
    r"lk\.(response\.ttft|interrupted|close_reason|job\.dispatch_latency|function_tool\.(name|is_error))"
    r"|gen_ai\.(usage\..*|request\.model|provider\.name)"
)
# changed: the console has not what the job is now. A report's revision is one more than the last of any report.
TABLES = """
create table if not exists jobs (
  job text primary key, room text default '', room_name text default '', agent text default '', sdk text default '',
  started integer default 0, ended integer default 0, seen integer default 0, summary text default '{}',
  audio integer default 0, cut integer default 0, recorded integer default 0, changed integer default 1);
create index if not exists jobs_by_age on jobs (seen, audio);
create index if not exists jobs_to_report on jobs (seen) where changed = 1;
create table if not exists talks (job text primary key, talk text);
create table if not exists items (job text, id text, at integer, item text, primary key (job, id));
create table if not exists spans (
  id text primary key, job text, parent text, name text, started integer, ended integer, failed integer, data text);
create index if not exists spans_of_job on spans (job);
create table if not exists logs (
  job text, at integer, severity text, logger text, body text, primary key (job, at, severity, logger, body));
create table if not exists usage (job text, name text, at integer, attributes text, value real, count integer,
  primary key (job, name, at, attributes));
create table if not exists reports (revision integer primary key, job text unique, lines text);
create table if not exists revisions (last integer);
create table if not exists counts (name text primary key, value integer);
"""
# The first release had the talk in the row of its job, which each span and line of a log writes again.
FROM_FIRST_RELEASE = """
begin;
create table talks (job text primary key, talk text);
insert into talks select job, talk from jobs where talk <> '';
update jobs set talk = '';
alter table jobs add column changed integer default 1;
commit;
"""


# What a text can hold in a database: JavaScript's may have halves of letters.
def text(value):
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def open_database(path):
    database = sqlite3.connect(path)
    # So that deleted pages go back to the disk. SQLite takes it before the first table alone, or when all is written anew.
    database.execute("pragma auto_vacuum=incremental")
    database.execute("pragma journal_mode=wal")
    columns = [row[1] for row in database.execute("pragma table_info(jobs)")]
    if columns and "changed" not in columns:
        database.executescript(FROM_FIRST_RELEASE)
    database.executescript(TABLES)
    # One that was lost begins after all that the console has of it.
    with database:
        database.execute("insert into revisions select ? where not exists (select 1 from revisions)", (int(time.time()),))
    database.row_factory = sqlite3.Row
    if database.execute("pragma auto_vacuum").fetchone()[0] == 0:
        try:
            database.execute("vacuum")
            database.execute("pragma wal_checkpoint(truncate)").fetchall()
        except sqlite3.OperationalError as error:
            print(f"The database could not be written anew: {error}", flush=True)
    return database


class Touched:
    """What one body says of a job beside its spans, lines and points."""

    def __init__(self):
        self.room = self.agent = ""
        self.started = self.ended = 0
        # How many rows of a table the job has.
        self.known = {}


class Jobs:
    """The one writer of the database."""

    def __init__(self, folder):
        self.folder, self.touched = folder, {}
        os.makedirs(f"{folder}/audio", 0o700, exist_ok=True)
        self.database = open_database(f"{folder}/insights.db")

    # Either all of a body, or nothing of it.
    def take(self, body, path):
        try:
            with self.database:
                self.take_recording(body, path) if body.kind == "recordings" else self.take_signal(body, path)
        finally:
            self.touched.clear()

    def take_signal(self, body, path):
        with open(path, "rb") as file:
            file.seek(len(body.head))
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
        self.write_jobs()

    # The id of a job, whose row is written when the body ends. "" where the ids are none of LiveKit's.
    def job(self, attributes, started=0, ended=0):
        job, room = text(attributes.get("job_id")), text(attributes.get("room_id"))
        if not JOB.fullmatch(job):
            return ""
        found = self.touched.setdefault(job, Touched())
        found.room = room if ROOM.fullmatch(room) else found.room
        found.started = min(found.started or started, started) if started > 0 else found.started
        found.ended = max(found.ended, started, ended)
        return job

    def write_jobs(self):
        for job, found in self.touched.items():
            self.database.execute(
                "insert into jobs (job, room, agent, started, ended, seen, changed) values (?, ?, ?, ?, ?, ?, 1)"
                " on conflict (job) do update set changed = 1, seen = excluded.seen, ended = max(ended, excluded.ended),"
                " room = case when excluded.room <> '' then excluded.room else room end,"
                " agent = case when excluded.agent <> '' then excluded.agent else agent end,"
                " started = case when excluded.started > 0 and (started = 0 or excluded.started < started)"
                " then excluded.started else started end",
                (job, found.room, found.agent, found.started, found.ended, int(time.time())),
            )

    def has_room(self, table, job, most):
        known = self.touched[job].known
        if table not in known:
            [known[table]] = self.database.execute(f"select count(*) from {table} where job = ?", (job,)).fetchone()
        known[table] += 1
        return known[table] <= most

    def take_span(self, span):
        attributes = span["attributes"]
        begun, ended = span["start"] // 1_000_000, span["end"] // 1_000_000
        job = self.job(attributes, begun, ended)
        if not job or not span["id"] or not self.has_room("spans", job, MAX_SPANS):
            return
        data = {name: value for name, value in attributes.items() if SPAN_DATA.fullmatch(name) and len(str(value)) <= 200}
        self.set_agent(job, attributes.get("lk.agent_name"))
        self.database.execute(
            "insert or replace into spans values (?, ?, ?, ?, ?, ?, ?, ?)",
            (span["id"], job, span["parent"], span["name"][:100], begun, ended, int(span["failed"]), json.dumps(data)),
        )

    def set_agent(self, job, name):
        self.touched[job].agent = text(name)[:100] or self.touched[job].agent

    def take_log(self, record):
        attributes, at = record["attributes"], record["at"] // 1_000_000
        job = self.job({**record["scope"], **attributes}, at)
        if not job:
            return
        # What anybody's code logs may have the same names.
        if record["logger"] == "chat_history":
            self.set_agent(job, attributes.get("agent_name"))
            item = attributes.get("chat.item")
            if isinstance(item, dict):
                return self.take_item(job, at, item)
            stated = {name: attributes[name] for name in ("usage", "sdk_version") if attributes.get(name)}
            if stated:
                self.add_summary(job, stated)
        if self.has_room("logs", job, MAX_LOGS):
            said = [record["body"], *exception_of(attributes)]
            body = " ".join(text(each) for each in said if text(each))[:MAX_TEXT]
            values = (job, at, text(record["severity"])[:20], text(record["logger"])[:100], body)
            self.database.execute("insert or ignore into logs values (?, ?, ?, ?, ?)", values)

    # An item of the talk, as it has it in logs: {"message": {…}}, as a recording has it: {"type": "message", …}. What is too
    # long is left out of it, so that it stays an item.
    def take_item(self, job, at, item):
        for kind, found in item.items():
            if isinstance(found, dict) and kind in ("message", "function_call", "function_call_output"):
                stated = {"created_at": at, **insights_summary.snaked(found), "type": kind}
                if len(json.dumps(stated)) > MAX_ITEM:
                    stated = {name: value for name, value in stated.items() if len(json.dumps(value)) <= 1_000}
                name = text(stated.get("id")) or f"{kind}-{text(stated.get('call_id'))}-{at}"
                if self.has_room("items", job, MAX_ITEMS):
                    values = (job, name[:100], at, json.dumps(stated))
                    self.database.execute("insert or replace into items values (?, ?, ?, ?)", values)

    def take_point(self, point):
        attributes = point["attributes"]
        job = self.job(attributes)
        if job:
            named = {name: attributes[name] for name in sorted(attributes) if name not in ("job_id", "room_id")}
            values = (job, point["name"][:100], point["at"] // 1_000_000, json.dumps(named)[:500], point["value"], point["count"])
            self.database.execute("insert or replace into usage values (?, ?, ?, ?, ?, ?)", values)

    # What is known of it since before stays.
    def add_summary(self, job, stated):
        self.write_jobs()
        [known] = self.database.execute("select summary from jobs where job = ?", (job,)).fetchone()
        merged, sdk = json.dumps({**json.loads(known), **stated}), text(stated.get("sdk_version"))[:40]
        if len(merged) < 100_000:
            self.database.execute("update jobs set summary = ? where job = ?", (merged, job))
        self.database.execute("update jobs set sdk = ? where job = ? and ? <> ''", (sdk, job, sdk))

    def take_recording(self, body, path):
        is_cut = body.fault == "cut"
        found = insights_wire.multipart(path, body.content_type, len(body.head), is_cut)
        with open(path, "rb") as file:

            def part(name, most):
                start, end = found.get(name, (0, 0))
                file.seek(start)
                return file.read(end - start) if end - start <= most else b""

            header = insights_wire.recording_header(part("header", 1_000_000))
            summary, items = header["summary"], talk_items(part("chat_history", MAX_TALK))
            length = number_of(summary.get("duration_ms")) or header["duration"]
            # Without sound it says no time.
            moments = [each for each in map(insights_summary.moment, items) if each > 0]
            started = header["start"] or min(moments, default=0)
            job = self.job({"job_id": header["job"], "room_id": header["room"]}, started, max(moments, default=0))
            if not job:
                raise ValueError("header")
            self.job({"job_id": job}, 0, header["start"] + length if header["start"] else 0)
            self.set_agent(job, summary.get("agent_name"))
            self.add_summary(job, summary)
            self.database.execute(
                "update jobs set room_name = ?, cut = ?, recorded = 1 where job = ?", (header["room_name"][:200], int(is_cut), job)
            )
            if items:
                self.database.execute("insert or replace into talks values (?, ?)", (job, json.dumps(items)))
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


# Type and message of an exception in a log line: Python's SDK has attributes for them, JavaScript's the error as JSON.
def exception_of(attributes):
    serialized = text(attributes.get("error"))
    try:
        stated = json.loads(serialized) if serialized.startswith("{") else {}
    except (ValueError, RecursionError):
        stated = {}
    return [attributes.get(f"exception.{name}", stated.get(name)) for name in ("type", "message")]


# The items of a talk as a recording has it.
def talk_items(talk):
    stated = json.loads(talk) if talk else None
    items = stated.get("items") if isinstance(stated, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def number_of(value):
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else 0
