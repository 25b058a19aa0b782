# shellcheck shell=sh
# Linode tells a machine its public address after it gave it a token.
METADATA=http://169.254.169.254
ask() { curl -fsS --noproxy '*' --connect-timeout 2 --max-time 5 --retry 2 "$@"; }
public_address() {
  token=$(ask -X PUT -H 'Metadata-Token-Expiry-Seconds: 60' "$METADATA/v1/token") || return 1
  ask -H "Metadata-Token: $token" "$METADATA/v1/network" | sed -n 's/^ipv4.public: *\([0-9.]*\).*/\1/p' | head -n 1
}
