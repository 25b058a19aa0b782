# shellcheck shell=sh
# OVHcloud: an address of the network Ext-Net is configured on the machine itself, so the metadata call it local.
METADATA=http://169.254.169.254
ask() { curl -fsS --noproxy '*' --connect-timeout 2 --max-time 5 --retry 2 "$@"; }
public_address() {
  found=$(ask "$METADATA/latest/meta-data/public-ipv4")
  [ -n "$found" ] || found=$(ask "$METADATA/latest/meta-data/local-ipv4" | grep -Ev '^(10|192\.168|172\.(1[6-9]|2.|3[01]))\.')
  say "$found"
}
