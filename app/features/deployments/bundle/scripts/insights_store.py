# What agents recorded, on this machine: what is done with it one after another, for how long it stays and how much of it.
import json
import os
import queue
import sqlite3
import threading
import time
from collections import Counter
from contextlib import closing
from functools import partial

import insights_incoming
import insights_jobs
import insights_summary

# How many of the newest sessions wait for the console, and for how many seconds nothing more is to come of one.
MAX_JOBS, QUIET = 300, 90
# For how many seconds a disk that fails is left alone.
PAUSE = 10


class Store:
    def __init__(self, folder, days, max_bytes):
        self.folder, self.days, self.max_bytes = folder, days, max_bytes
        # What the one thread that has the database is to do.
        self.tasks, self.lock, self.pending = queue.SimpleQueue(), threading.Lock(), Counter()
        self.is_stale, self.published = True, 0.0
        self.jobs = insights_jobs.Jobs(folder)
        self.database = self.jobs.database
        # Half of it is for what was read, so that a flood of bodies does not push all of it out.
        self.incoming = insights_incoming.Incoming(f"{folder}/incoming", max_bytes // 2, self.read_later, self.lose)

    def read_later(self, body):
        self.tasks.put(partial(self.read, body))

    def delete_later(self, name):
        self.tasks.put(partial(self.delete_jobs, name))

    # Called by each thread; written when the database is next.
    def count(self, name):
        with self.lock:
            self.pending[name] += 1

    def warn(self, name, sentence):
        self.count(name)
        print(sentence, flush=True)

    def lose(self, body, reason):
        self.warn("cut", f"The end of a body of {body.kind} was left out: {reason}.")
        self.note_failure(reason)

    # For the doctor, which finds it for a day. No word of what was sent is in it.
    def note_failure(self, reason):
        try:
            self.replace("failure", reason[:60])
        except OSError:
            pass

    # Does one task, if one comes within that many seconds.
    def work(self, seconds):
        try:
            task = self.tasks.get(timeout=seconds)
        except queue.Empty:
            return
        task()
        if self.tasks.empty() or time.monotonic() - self.published > 5:
            self.publish()

    def read(self, body):
        try:
            if body.attempts >= insights_incoming.MAX_ATTEMPTS:
                raise ValueError("this program died at it")
            self.incoming.mark(body, body.attempts + 1)
            self.jobs.take(body, self.incoming.path(body))
            self.count(body.kind)
            if body.kind == "recordings" and not body.fault:
                self.count("recorded")
        # Whatever an agent sends: the next body is read all the same.
        except Exception as error:
            # A disk that is full, or fails, is no fault of the body, which waits for it.
            if isinstance(error, (sqlite3.OperationalError, OSError)) and os.path.exists(self.incoming.path(body)):
                self.read_later(body)
                self.incoming.mark(body, 0)
                raise
            # It is deleted: nobody could find it to delete what was said.
            self.warn("unreadable", f"A body of {body.kind} could not be read: {type(error).__name__}.")
        self.incoming.remove(body)
        self.trim()

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
            return {**dict(found), **rows, "summary": json.loads(found["summary"]), "talk": self.talk_of(database, job)}

    def talk_of(self, database, job):
        found = database.execute("select talk from talks where job = ?", (job,)).fetchone()
        if found:
            return json.loads(found["talk"])
        items = database.execute("select item from items where job = ? order by at, rowid", (job,))
        return [json.loads(row["item"]) for row in items]

    # What the report sends: the newest record of each job that is over, by revision. A job that is still heard from is not
    # over; when it is, its record gets a revision that no report had.
    def publish(self):
        over = "select * from jobs where changed = 1 and (recorded = 1 or seen < ?) order by seen, rowid limit ?"
        self.published = time.monotonic()
        with self.lock:
            pending = Counter(self.pending)
        with self.database:
            for job in self.database.execute(over, (int(time.time()) - QUIET, MAX_JOBS)).fetchall():
                self.report(job)
            self.write_counts(pending)
        with self.lock:
            self.pending -= pending
        if self.is_stale:
            newest = "select * from (select revision, lines from reports order by revision desc limit ?) order by revision"
            self.replace("outbox", "".join(row["lines"] for row in self.database.execute(newest, (MAX_JOBS,))))
            self.is_stale = False
        counts = {row["name"]: row["value"] for row in self.database.execute("select * from counts")}
        self.replace("status.json", json.dumps({**counts, "jobs": self.total("count(*)"), "bytes": self.bytes()}))

    def report(self, job):
        self.is_stale = True
        self.database.execute("update revisions set last = last + 1")
        [revision] = self.database.execute("select last from revisions").fetchone()
        try:
            lines = "".join(self.lines(job, revision))
        except Exception as error:
            self.warn("unreadable", f"The session of {job['job']} could not be read: {type(error).__name__}.")
            lines = ""
        self.database.execute("insert or replace into reports values (?, ?, ?)", (revision, job["job"], lines))
        self.database.execute("update jobs set changed = 0 where job = ?", (job["job"],))

    def write_counts(self, pending):
        for name, more in pending.items():
            self.database.execute(
                "insert into counts values (?, ?) on conflict (name) do update set value = value + excluded.value", (name, more)
            )

    def lines(self, job, revision):
        spans = self.database.execute(
            "select name, started, ended, failed, data from spans where job = ? and name in"
            " ('function_tool', 'agent_turn', 'llm_node') order by started limit 2000",
            (job["job"],),
        )
        return insights_summary.report_lines(
            {
                **{name: job[name] for name in ("job", "room", "agent", "sdk", "started", "ended")},
                "revision": revision,
                "summary": json.loads(job["summary"]),
                "items": self.talk_of(self.database, job["job"]),
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

    def pragma(self, name):
        return self.database.execute(f"pragma {name}").fetchone()[0]

    # Of the disk. Free pages of the database are given back, or are used next.
    def bytes(self):
        pages = self.pragma("page_count") - self.pragma("freelist_count")
        return self.total("sum(audio)") + pages * self.pragma("page_size") + self.incoming.size

    # Deletes what is too old, and tells the console of what is over.
    def sweep(self, now):
        with self.database:
            old = self.database.execute("select job from jobs where seen < ?", (int(now - self.days * 86_400),)).fetchall()
            for [job] in old:
                self.delete(job)
        self.trim()
        self.shrink()
        self.publish()

    # Deletes the oldest while there is too much.
    def trim(self):
        while self.bytes() > self.max_bytes:
            oldest = self.database.execute("select job from jobs order by seen, rowid limit 1").fetchone()
            if not oldest:
                return
            with self.database:
                self.delete(oldest["job"])
            self.count("removed")
            self.shrink()

    # Gives back pages that are free, some megabytes at a time: execute() would do it for one page.
    def shrink(self):
        for _ in range(0, self.pragma("freelist_count"), 2_000):
            self.database.executescript("pragma incremental_vacuum(2000); pragma wal_checkpoint(truncate);")

    # Those of a request: of one job, or of all.
    def delete_jobs(self, name):
        with self.database:
            jobs = self.database.execute("select job from jobs where ? in ('all', job)", (name,)).fetchall()
            for [job] in jobs:
                self.delete(job)
        self.shrink()

    def delete(self, job):
        self.is_stale = True
        for name in ("talks", "items", "spans", "logs", "usage", "reports", "jobs"):
            self.database.execute(f"delete from {name} where job = ?", (job,))
        try:
            os.unlink(self.jobs.audio_path(job))
        except FileNotFoundError:
            pass
