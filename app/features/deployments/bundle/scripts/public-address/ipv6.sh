# shellcheck shell=sh
# A public IPv6 address is configured on the machine itself. Addresses of private networks begin with fc or fd.
public_address() {
  ip -6 -o addr show scope global primary | awk '{ sub("/.*", "", $4); print $4 }' | grep -v '^f[cd]' | head -n 1
}
