import type { DeploymentOptions } from "../options/options.ts";

type Provider = DeploymentOptions["provider"];
type Addresses = DeploymentOptions["addresses"];

const noMetadata = `  return 1
`;

/** How each provider's metadata tells the public address. Only the machine's own is there: AWS's user data is small. */
const addressOf: Record<Provider, string> = {
  aws: `  token=$(ask -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$METADATA/latest/api/token") || return 1
  ask -H "X-aws-ec2-metadata-token: $token" "$METADATA/latest/meta-data/public-ipv4"
`,
  // A standard address is known to the load balancer's metadata only.
  azure: `  found=$(ask -H Metadata:true "$METADATA/metadata/loadbalancer?api-version=2020-10-01" | tr ',' '\\n' |
    sed -n 's/.*"frontendIpAddress": *"\\([0-9.]*\\)".*/\\1/p' | head -n 1)
  if [ -n "$found" ]; then say "$found"; else
    ask -H Metadata:true "$METADATA/metadata/instance/network/interface/0/ipv4/ipAddress/0/publicIpAddress?api-version=2021-02-01&format=text"
  fi
`,
  "digital-ocean": `  if [ "$(ask "$METADATA/metadata/v1/reserved_ip/ipv4/active")" = true ]; then
    ask "$METADATA/metadata/v1/reserved_ip/ipv4/ip_address"
  else
    ask "$METADATA/metadata/v1/interfaces/public/0/ipv4/address"
  fi
`,
  "google-cloud": `  ask -H 'Metadata-Flavor: Google' "$METADATA/computeMetadata/v1/instance/network-interfaces/0/access-configs/0/external-ip"
`,
  hetzner: `  ask "$METADATA/hetzner/v1/metadata/public-ipv4"
`,
  // An address of Ext-Net is the machine's own. Ones of private networks are not public.
  ovh: `  found=$(ask "$METADATA/latest/meta-data/public-ipv4")
  [ -n "$found" ] || found=$(ask "$METADATA/latest/meta-data/local-ipv4" | grep -Ev '^(10|192\\.168|172\\.(1[6-9]|2.|3[01]))\\.')
  say "$found"
`,
  vultr: `  ask "$METADATA/v1/interfaces/0/ipv4/address"
`,
  linode: `  token=$(ask -X PUT -H 'Metadata-Token-Expiry-Seconds: 60' "$METADATA/v1/token") || return 1
  ask -H "Metadata-Token: $token" "$METADATA/v1/network" | sed -n 's/^ipv4.public: *\\([0-9.]*\\).*/\\1/p' | head -n 1
`,
  // It tells private addresses only: LiveKit asks STUN.
  oracle: noMetadata,
  // Nobody to ask: LiveKit asks STUN.
  other: noMetadata,
};

/** Public IPv6 addresses stand on the machine itself; those of private networks begin with fc or fd. */
const ownIpv6 = `  ip -6 -o addr show scope global primary | awk '{ sub("/.*", "", $4); print $4 }' | grep -v '^f[cd]' | head -n 1
`;

const asking = `METADATA=http://169.254.169.254
ask() { curl -fsS --noproxy '*' --connect-timeout 2 --max-time 5 --retry 2 "$@"; }
`;

function source(provider: Provider, addresses: Addresses): string {
  return addresses === "ipv6" ? ownIpv6 : addressOf[provider];
}

function unknown(provider: Provider, addresses: Addresses): string {
  if (addresses === "ipv6")
    return "This machine has no public IPv6 address yet; the last known one stays.";
  return provider === "other" || provider === "oracle"
    ? `LiveKit asks STUN for the public address, unless state/address.env tells it in two lines:
NODE_IP=ADDRESS
LIVEKIT_RTC_USE_EXTERNAL_IP=false`
    : "The provider did not tell the public address; the last known one stays.";
}

/** `before-start.sh`: Before every start: finishes what a reboot interrupted, makes missing secrets, finds the public address. */
export const beforeStartScript = (provider: Provider, addresses: Addresses) => `#!/bin/sh
# Before every start: finishes what a reboot interrupted, makes missing secrets, finds the public address.
# shellcheck source=environment.sh
. "\${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
${source(provider, addresses).includes("$METADATA") ? asking : ""}public_address() {
${source(provider, addresses)}}

nft list table inet livekit >/dev/null || fail 1 "Without its firewall LiveKit does not start."
mkdir -p state
# A held lock means that the one who works on it also starts us.
(
  flock -n 9 || exit 0
  export LIVEKIT_DEPLOY_LOCKED=1
  rm -rf state/restore-stage state/apply-stage state/backup-scratch "$ARCHIVE/.partial"
  # This unit may not write into /etc.
  [ ! -e state/applying ] || systemd-run -q --collect --wait --pipe /bin/sh "$STATE/apply-run/apply.sh" --recover
  "$BIN/restore.sh" --recover
  "$BIN/update.sh" --recover
) 9>state/lock
"$BIN/first-boot.sh" --secrets
address=$(public_address 2>/dev/null) || address=
if printf '%s\\n' "$address" | grep -Eq '${addresses === "ipv6" ? "^[0-9a-f:]*:[0-9a-f:]*$" : "^([0-9]{1,3}\\.){3}[0-9]{1,3}$"}'; then
  lines="NODE_IP=$address
LIVEKIT_RTC_USE_EXTERNAL_IP=false"
  [ "$lines" = "$(cat state/address.env)" ] || say "$lines" | put state/address.env 0644 ||
    say "The public address could not be stored. Is the disk full?" >&2
else
  say "${unknown(provider, addresses)}" >&2
fi
`;
