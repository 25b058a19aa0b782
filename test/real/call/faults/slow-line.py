# python3 slow-line.py DELAY JITTER (ADDRESS DEVICE)...: what this namespace sends to an ADDRESS is DELAY ms late, give or take
# JITTER, and leaves by DEVICE. As tc-netem does it, which not every kernel has. With the program the line ends.
import fcntl
import heapq
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time

delay, jitter = (int(each) for each in sys.argv[1:3])
ways = dict(zip(sys.argv[3::2], sys.argv[4::2]))


def ip(*words):
    return subprocess.run(("ip",) + words, check=True, capture_output=True, text=True).stdout


# Linux: TUNSETIFF, IFF_TUN | IFF_NO_PI.
line = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
fcntl.ioctl(line, 0x400454CA, struct.pack("16sH", b"line0", 0x1001))
ip("link", "set", "line0", "up")
sockets = {}
for address, device in ways.items():
    source = ip("route", "get", address).split(" src ")[1].split()[0]
    # Bound to the device it does not take the route that leads back here.
    out = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
    sockets[socket.inet_aton(address)] = out
    ip("route", "add", address, "dev", "line0", "src", source)
print("ready", flush=True)

waiting = []
count = 0
while True:
    now = time.monotonic()
    while waiting and waiting[0][0] <= now:
        packet = heapq.heappop(waiting)[2]
        try:
            sockets[packet[16:20]].sendto(packet, (socket.inet_ntoa(packet[16:20]), 0))
        except OSError:
            # Nobody is there any more.
            pass
    until = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
    if not select.select([line], [], [], until)[0]:
        continue
    packet = os.read(line, 65536)
    if packet[0] >> 4 != 4 or packet[16:20] not in sockets:
        continue
    count += 1
    late = delay + random.uniform(-jitter, jitter)
    heapq.heappush(waiting, (time.monotonic() + max(0.0, late) / 1000, count, packet))
