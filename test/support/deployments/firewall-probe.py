# firewall-probe.py RULES: loads a machine's firewall in the network of this process, in which 203.0.113.5 and
# 2001:db8::5 are the machine's own addresses, and sends packets from the machine to itself.
# Reads {"tcp": [PORT], "udp": [PORT]} from standard input; prints what arrived, as "tcp 203.0.113.5 22".
import json
import os
import socket
import subprocess
import sys

OWN = ("203.0.113.5", "2001:db8::5")
LOOPBACK = ("127.0.0.1", "::1")

# On one processor the packets of a network are handled in the order in which they were sent.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
for command in (
    "ip link set lo up",
    f"ip address add {OWN[0]}/32 dev lo",
    f"ip address add {OWN[1]}/128 dev lo nodad",
    f"nft -f {sys.argv[1]}",
):
    subprocess.run(command.split(), check=True)


def bound(kind, address, port):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, kind)
    made.bind((address, port))
    made.setblocking(False)
    return made


def arrived(receiver):
    try:
        receiver.accept() if receiver.type == socket.SOCK_STREAM else receiver.recv(9)
        return True
    except BlockingIOError:
        return False


receivers, senders = {}, []
for name, ports in json.load(sys.stdin).items():
    kind = socket.SOCK_STREAM if name == "tcp" else socket.SOCK_DGRAM
    for address in (*OWN, *LOOPBACK):
        for port in ports:
            receiver = bound(kind, address, port)
            if name == "tcp":
                receiver.listen()
            receivers[f"{name} {address} {port}"] = receiver
            sender = bound(kind, address, 0)
            senders.append(sender)
            if name == "tcp":
                sender.connect_ex((address, port))
            else:
                sender.sendto(b"packet", (address, port))

# Two relays of one TURN server, which have no port open: the first packet is lost, its answer opens the way.
one, other = (bound(socket.SOCK_DGRAM, OWN[0], port) for port in (30001, 30002))
one.sendto(b"first", other.getsockname())
other.sendto(b"second", one.getsockname())
one.sendto(b"third", other.getsockname())

# These connections come after all others of their family, so what has not arrived by now was dropped.
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    last = socket.create_server((address, 0), family=family)
    socket.create_connection(last.getsockname()[:2])
    last.accept()
for name, receiver in receivers.items():
    if arrived(receiver):
        print(name)
for name, relay in (("relay one", one), ("relay other", other)):
    try:
        print(name, relay.recv(9).decode())
    except BlockingIOError:
        pass
