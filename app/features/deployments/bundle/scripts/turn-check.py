#!/usr/bin/env python3
# Asks TURN for relays as a client does, and sends a packet from one to LiveKit's media ports at the public address.
# turn-check.py [udp=HOST:PORT] [tls=HOST:PORT=NAME] [media=PORT[-PORT]]   API keys and their secrets are read from
# standard input.
# Prints for udp, tls and hairpin: NAME ok|silent|refused|lost FOUND, and "key pending" where only a later key of
# the input was taken. Exit: 0 looked, 64 usage.
import hashlib
import hmac
import ipaddress
import os
import re
import socket
import ssl
import struct
import sys
import time
# A client behind a strict firewall needs relays from TURN over UDP and over TLS, and packets from a relay that come back
# to the machine through its public address. This program tries all three.
# The credentials are made as LiveKit makes them (pkg/service/turn.go). The user is base62 of "KEY|PARTICIPANT|EXPIRY";
# the password is base62 of the SHA-256 of "SECRET|PARTICIPANT|EXPIRY". Versions before v1.12 have no expiry in either.

MAGIC = 0x2112A442
ALLOCATE, REFRESH, SEND, PERMISSION = 3, 4, 0x16, 8
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class Silent(Exception):
    pass


class Refused(Exception):
    pass


# base62 as github.com/jxskiss/base62 writes it: a letter is six bits, or five where six would make 62 or 63.
def base62(data):
    number, left, text = int.from_bytes(data, "big"), 8 * len(data), ""
    while left > 0:
        bits, size = number & 63, 6
        if bits & 30 == 30:
            if left > 6 or bits > 31:
                size = 5
            bits &= 31
        text += LETTERS[bits]
        number >>= size
        left -= size
    return text


# The credentials of every key: user, password, and whether the key is not the first one.
def credentials(keys):
    who = "PA_doctor"
    for at, (key, secret) in enumerate(keys):
        for rest in (f"{who}|{int(time.time()) + 60}", who):
            user = base62(f"{key}|{rest}".encode())
            yield user, base62(hashlib.sha256(f"{secret}|{rest}".encode()).digest()), at > 0


def attribute(kind, value):
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def mask(transaction):
    return struct.pack("!I", MAGIC) + transaction


def xored(value, pad):
    return bytes(one ^ other for one, other in zip(value, pad))


# An address in the form of the attributes XOR-PEER-ADDRESS and XOR-RELAYED-ADDRESS.
def packed(address, transaction):
    ip = ipaddress.ip_address(address[0])
    port = address[1] ^ (MAGIC >> 16)
    return struct.pack("!HH", 1 if ip.version == 4 else 2, port) + xored(ip.packed, mask(transaction))


def unpacked(value, transaction):
    (port,) = struct.unpack("!H", value[2:4])
    ip = ipaddress.ip_address(xored(value[4 : 20 if value[1] == 2 else 8], mask(transaction)))
    return str(ip), port ^ (MAGIC >> 16)


class Client:
    def __init__(self, way, host, port, name):
        self.way, self.buffer = way, b""
        self.more, self.key = [], None
        try:
            if way == "udp":
                family = socket.AF_INET6 if ":" in host else socket.AF_INET
                self.socket = socket.socket(family, socket.SOCK_DGRAM)
                self.socket.connect((host, port))
            else:
                plain = socket.create_connection((host, port), 3)
                self.socket = ssl.create_default_context().wrap_socket(plain, server_hostname=name)
        except ssl.SSLCertVerificationError as error:
            raise Silent(f"no handshake as {name}: {error.verify_message}")
        except OSError as error:
            raise Silent(f"no handshake as {name}: {error}" if way == "tls" else str(error))

    def send(self, kind, attributes, peer=None):
        transaction = os.urandom(12)
        if peer:
            attributes = [attribute(0x12, packed(peer, transaction)), *attributes]
        body = b"".join(attributes)
        if self.key and kind != SEND:
            head = struct.pack("!HHI", kind, len(body) + 24, MAGIC) + transaction
            body += attribute(8, hmac.new(self.key, head + body, hashlib.sha1).digest())
        message = struct.pack("!HHI", kind, len(body), MAGIC) + transaction + body
        self.socket.sendall(message)
        return transaction, message

    # The next message, or None when none comes within these seconds.
    def receive(self, seconds):
        until = time.monotonic() + seconds
        while True:
            size = 20 + struct.unpack("!H", self.buffer[2:4])[0] if len(self.buffer) >= 20 else 20
            if len(self.buffer) >= max(size, 20):
                message, self.buffer = self.buffer[:size], self.buffer[size:]
                break
            left = until - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                part = self.socket.recv(4096)
            except socket.timeout:
                return None
            if not part and self.way == "tls":
                raise Silent("the connection was closed")
            self.buffer = part if self.way == "udp" else self.buffer + part
        (kind,) = struct.unpack("!H", message[:2])
        found, at = {}, 20
        while at + 4 <= len(message):
            name, length = struct.unpack("!HH", message[at : at + 4])
            found.setdefault(name, message[at + 4 : at + 4 + length])
            at += 4 + length + -length % 4
        return kind, message[8:20], found

    # Sends a request and returns its answer, in at most two and a half seconds. Over UDP, where packets may be lost, it
    # sends the request again.
    def ask(self, kind, attributes, peer=None):
        transaction, message = self.send(kind, attributes + self.more, peer)
        for again, seconds in enumerate((0.5, 1, 1) if self.way == "udp" else (2.5,)):
            if again:
                self.socket.sendall(message)
            until = time.monotonic() + seconds
            while answer := self.receive(max(until - time.monotonic(), 0)):
                if answer[1] == transaction:
                    return answer
        raise Silent("no answer")

    # Asks for a relay. The first request has no credentials: its refusal brings realm and nonce.
    def allocate(self, keys):
        wanted = [attribute(0x19, bytes([17, 0, 0, 0]))]
        kind, transaction, found = self.ask(ALLOCATE, wanted)
        realm, nonce = found.get(0x14), found.get(0x15)
        if code(kind, found) != 401 or not realm or not nonce:
            raise Silent(f"Allocate was answered with {code(kind, found)}")
        for user, password, self.late in credentials(keys):
            self.more = [attribute(6, user.encode()), attribute(0x14, realm), attribute(0x15, nonce)]
            self.key = hashlib.md5(b":".join([user.encode(), realm, password.encode()])).digest()
            kind, transaction, found = self.ask(ALLOCATE, wanted)
            if 0x16 in found and code(kind, found) == 0:
                self.relay = unpacked(found[0x16], transaction)
                return
            if code(kind, found) not in (400, 401):
                raise Silent(f"Allocate was answered with {code(kind, found)}")
        raise Refused(f"Allocate was answered with {code(kind, found)}")

    def release(self):
        try:
            self.send(REFRESH, [attribute(0x0D, bytes(4)), *self.more])
            self.socket.close()
        except OSError:
            pass


# The error code of an answer; 0 for success.
def code(kind, found):
    return 0 if kind & 0x110 == 0x100 else found[9][2] * 100 + found[9][3] if len(found.get(9, b"")) > 3 else 500


# A socket that gets what comes to a media port, and that port. From v1.13.10 on LiveKit relays to its own machine at no
# other port. One of a range is free; a single one LiveKit has itself, so a copy of every UDP packet is read.
def media_port(family, first, last):
    if first == last:
        raw = socket.socket(family, socket.SOCK_RAW, socket.IPPROTO_UDP)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        return raw, first
    for _ in range(20):
        port = first + int.from_bytes(os.urandom(4), "big") % (last - first + 1)
        receiver = socket.socket(family, socket.SOCK_DGRAM)
        try:
            receiver.bind(("", port))
            return receiver, port
        except OSError:
            receiver.close()
    raise Silent("no media port is free")


# Sends a packet from a relay to a media port at the public address.
def hairpin(client, first, last):
    address = client.relay[0]
    kind, _, found = client.ask(PERMISSION, [], client.relay)
    if code(kind, found):
        return f"refused {address}: a permission was answered with {code(kind, found)}"
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    receiver, port = media_port(family, first, last)
    word = os.urandom(16)
    with receiver:
        for _ in range(4):
            client.send(SEND, [attribute(0x13, word)], (address, port))
            until = time.monotonic() + 0.25
            while (left := until - time.monotonic()) > 0:
                receiver.settimeout(left)
                try:
                    if receiver.recv(4096).endswith(word):
                        return f"ok {address}"
                except socket.timeout:
                    pass
    return f"lost {address}"


def main():
    words = sys.stdin.read().split()
    keys = list(zip(words[::2], words[1::2]))
    clients = []

    def say(*words):
        text = re.sub(r"\[Errno -?\d+\] |_ssl\.c:\d+: ", "", " ".join(words))
        print(re.sub("[^ -~]+", "?", text)[:160], flush=True)

    def opened(way, host, port, name):
        client = Client(way, host, int(port), name)
        client.allocate(keys)
        clients.append(client)
        return client

    media = (50000, 60000)
    for parameter in sys.argv[1:]:
        if match := re.fullmatch(r"media=(\d+)(?:-(\d+))?", parameter):
            media = (int(match[1]), int(match[2] or match[1]))
            continue
        match = re.fullmatch(r"(udp|tls)=(.+):(\d+)(?:=(.+))?", parameter)
        if not match:
            sys.exit(64)
        way = match.groups()
        try:
            host, port = opened(*way).relay
            say(way[0], "ok", f"relay at {host}, port {port}")
        except Refused as error:
            say(way[0], "refused", str(error))
        except (Silent, OSError) as error:
            say(way[0], "silent", str(error))
    if clients:
        try:
            say("hairpin", hairpin(clients[0], *media))
        except (Silent, Refused, OSError) as error:
            say("hairpin", "lost", str(error))
    if any(client.late for client in clients):
        say("key", "pending")
    for client in clients:
        client.release()


main()
