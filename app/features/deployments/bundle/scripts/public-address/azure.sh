# shellcheck shell=sh
# Azure tells a machine its public address: a standard address is known to the metadata of the load balancer only.
METADATA=http://169.254.169.254
ask() { curl -fsS --noproxy '*' --connect-timeout 2 --max-time 5 --retry 2 "$@"; }
public_address() {
  found=$(ask -H Metadata:true "$METADATA/metadata/loadbalancer?api-version=2020-10-01" | tr ',' '\n' |
    sed -n 's/.*"frontendIpAddress": *"\([0-9.]*\)".*/\1/p' | head -n 1)
  if [ -n "$found" ]; then say "$found"; else
    ask -H Metadata:true "$METADATA/metadata/instance/network/interface/0/ipv4/ipAddress/0/publicIpAddress?api-version=2021-02-01&format=text"
  fi
}
