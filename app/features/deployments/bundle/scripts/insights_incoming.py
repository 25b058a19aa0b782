# What agents sent and nobody has read yet, on this machine: one file for each body, which begins with what it is.
# N.part is still coming, N.0.whole is on the disk, N.1.cut was begun to be read once and does not have its end.
import json
import os
import re
import threading
import time
from collections import deque

# An agent's job ends only when its recording was taken, so a slow disk may hold it up for less than a second.
BUFFER, PATIENCE = 64_000_000, 0.8
# A body at which this program died so often is not read again.
MAX_ATTEMPTS = 2
WAITING = re.compile(r"([0-9]{20}-[0-9]+)\.([0-9])\.(whole|cut)")


class Body:
    """A request's body. fault: "", "cut" (its end was left out) or "broken" (the sender did not send it whole)."""

    def __init__(self, name, kind, content_type, encoding):
        self.name, self.kind, self.content_type, self.encoding = name, kind, content_type, encoding
        self.fault, self.file, self.size, self.attempts = "", None, 0, 0
        self.is_over = self.is_written = False
        # What stands before it in its file.
        self.head = json.dumps([kind, content_type, encoding]).encode() + b"\n"


class Incoming:
    """The folder of bodies, of at most so many bytes. Calls `take` with each that is whole, and `lose` where a part is left out."""

    def __init__(self, folder, max_bytes, take, lose):
        self.folder, self.max_bytes, self.take, self.lose = folder, max_bytes, take, lose
        self.lock, self.number, self.size = threading.Lock(), 0, 0
        os.makedirs(folder, 0o700, exist_ok=True)
        # What waited when the service ended was answered with 200 already.
        for name in sorted(os.listdir(folder)):
            self.recover(name)

    def path(self, body):
        if not body.is_over:
            return f"{self.folder}/{body.name}.part"
        return f"{self.folder}/{body.name}.{body.attempts}.{body.fault or 'whole'}"

    def recover(self, name):
        path, match = f"{self.folder}/{name}", WAITING.fullmatch(name)
        try:
            with open(path, "rb") as file:
                body = Body(match[1], *json.loads(file.readline(4_000)))
        except (ValueError, TypeError):
            return os.unlink(path)
        body.attempts, body.fault, body.is_over = int(match[2]), "cut" if match[3] == "cut" else "", True
        body.size = os.path.getsize(path)
        self.size += body.size
        self.take(body)

    def begin(self, kind, content_type, encoding):
        with self.lock:
            self.number += 1
            name = f"{time.time_ns():020}-{self.number}"
        return Body(name, kind, content_type[:300], encoding.lower().strip()[:40])

    # A disk that is full, or the folder, loses the end of a body. The agent that sends it learns nothing of it: its job
    # would not end before it had tried again, and of a recording it does not try again.
    def append(self, body, chunk):
        if body.fault:
            return
        chunk = chunk if body.file else body.head + chunk
        if self.size + len(chunk) > self.max_bytes:
            return self.cut(body, "there is no room for it")
        try:
            if not body.file:
                body.file = open(self.path(body), "wb")
            body.file.write(chunk)
        except OSError as error:
            return self.cut(body, type(error).__name__)
        body.size += len(chunk)
        with self.lock:
            self.size += len(chunk)

    def cut(self, body, reason):
        if not body.fault:
            body.fault = "cut"
            self.lose(body, reason)

    # A name says that a body is over, so it gets its name last. Of a recording the beginning is of use.
    def finish(self, body):
        try:
            if body.file:
                body.file.close()
        except OSError as error:
            self.cut(body, type(error).__name__)
        if not body.file or body.fault == "broken" or (body.fault and body.kind != "recordings"):
            return self.remove(body)
        part = self.path(body)
        body.is_over = True
        try:
            os.rename(part, self.path(body))
        except OSError as error:
            body.is_over = False
            self.cut(body, type(error).__name__)
            return self.remove(body)
        self.take(body)

    # In its name stands how often it was begun to be read.
    def mark(self, body, attempts):
        path, before = self.path(body), body.attempts
        body.attempts = attempts
        try:
            os.rename(path, self.path(body))
        except OSError:
            body.attempts = before
            raise

    def remove(self, body):
        with self.lock:
            self.size -= body.size
        body.size = 0
        try:
            os.unlink(self.path(body))
        except OSError:
            pass


class Spool:
    """Bytes that wait for the disk. Only one thread writes to it."""

    def __init__(self, incoming):
        self.incoming = incoming
        self.changed = threading.Condition()
        self.waiting, self.size = deque(), 0
        threading.Thread(target=self.write, daemon=True).start()

    # What has no room within that many seconds is left out, and all that follows it.
    def add(self, body, chunk, seconds):
        with self.changed:
            if body.fault:
                return
            if self.changed.wait_for(lambda: self.size + len(chunk) <= BUFFER, max(0, seconds)):
                self.size += len(chunk)
                self.waiting.append((body, chunk))
                return self.changed.notify_all()
        self.incoming.cut(body, "the disk is too slow")

    # Whether it is on the disk within that many seconds, as far as it was not left out.
    def finish(self, body, seconds):
        with self.changed:
            self.waiting.append((body, None))
            self.changed.notify_all()
            return self.changed.wait_for(lambda: body.is_written, max(0, seconds))

    def is_empty(self, seconds):
        with self.changed:
            return self.changed.wait_for(lambda: not self.waiting, max(0, seconds))

    # What is written stays in line until it is on the disk.
    def write(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.waiting)
                body, chunk = self.waiting[0]
            try:
                if chunk is None:
                    self.incoming.finish(body)
                else:
                    self.incoming.append(body, chunk)
            except OSError as error:
                self.incoming.cut(body, type(error).__name__)
            with self.changed:
                self.waiting.popleft()
                body.is_written = chunk is None
                self.size -= len(chunk or b"")
                self.changed.notify_all()
