#!/bin/sh
# boot-machine.sh FOLDER ROOT NAME: the system below ROOT, mostly this machine's own, booted with systemd in namespaces of its own.
# What it reads is that root, what it writes is in memory and gone with it; FOLDER/files lies over it.
# Run it inside the network namespace of the machine, with new mount, process, host name and cgroup namespaces.
set -eu
folder=$1
mount -t tmpfs -o mode=755,size=6g machine "$folder/memory"
cd "$folder/memory"
mkdir upper work root
mount -t overlay -o "lowerdir=$2,upperdir=$PWD/upper,workdir=$PWD/work" overlay root
cd root

# Nothing of this machine's own configuration starts there: no units, disks, networks or first boot of a cloud.
rm -rf etc/systemd/system etc/docker etc/netplan etc/fstab etc/rc.local etc/resolv.conf opt/livekit
mkdir -p etc/systemd/system etc/cloud var/lib/docker var/lib/containerd
: >etc/cloud/cloud-init.disabled
echo 00000000000000000000000000000001 >etc/machine-id
for unit in systemd-udevd.service systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-timesyncd.service \
  systemd-networkd.service systemd-networkd.socket systemd-resolved.service systemd-sysctl.service systemd-oomd.service \
  systemd-modules-load.service systemd-logind.service console-getty.service getty.target; do
  ln -s /dev/null "etc/systemd/system/$unit"
done
cp -a "$folder/files/." .

mount -t proc proc proc
# Kernel settings belong to this machine, except those of the network, which each namespace has.
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
mount --bind proc/sys/net proc/sys/net
mount -o remount,rw,bind proc/sys/net
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  : >"dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
ln -s fd/1 dev/stdout
ln -s fd/2 dev/stderr
: >dev/console
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
# Docker's own layers cannot lie on an overlay.
mount -t tmpfs -o size=4g tmpfs var/lib/docker
mount -t tmpfs tmpfs var/lib/containerd

hostname "$3"
mkdir -p before
pivot_root . before
umount -l before
exec env -i container=lxc PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=multi-user.target
