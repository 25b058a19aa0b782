import { findings } from "../../findings.ts";

/** What the doctor can find, and the form of its report. */
export const findingsSection = `## What the doctor finds

\`sudo livekit-deploy doctor\` shows a row for each thing it looks at, and the next step below what is not well.
\`--quiet\` leaves out what is well. Exit status: 0 all well, 1 something needs attention (warning), 2 something does
not work (critical) or could not be looked at.

\`--report\` is for programs: a line of ASCII for each finding, five fields with a tab between them: code, severity,
subject (a name, port, service, unit, file or address), found, and wanted, which may be empty. It holds no secret.
The last report is in \`/opt/livekit/state/health-findings\`. TURN is asked for real relays with LiveKit's own
credentials, over UDP and TLS, and a packet is sent from one to a media port through the public address. Where
nobody sets the clock, the doctor asks Let's Encrypt's server for the time; it asks nobody else outside but DNS.

| Code | Severity | What it means |
|---|---|---|
${Object.entries(findings)
  .map(([code, { severity, title }]) => `| \`${code}\` | ${severity} | ${title} |\n`)
  .join("")}
### When the network brings nothing back

After \`turn.hairpin\` no call works for who needs TURN: the relay sends to LiveKit through the machine's own public
address, and this network loses that. These lines let the machine turn such packets around itself, now and after
every reboot. They take the address from \`state/address.env\`, or from what the doctor last found, and change nothing
where neither tells it. Use them again after a change of the public address.

\`\`\`sh
sudo sh -eu <<'END'
public=$(sed -n s/^NODE_IP=//p /opt/livekit/state/address.env || true)
[ "$public" ] || public=$(sed -n 's/^turn\\.hairpin.*a packet to \\([0-9.]*\\) did not.*/\\1/p' /opt/livekit/state/health-findings | head -n 1)
own=$([ -z "$public" ] || ip -4 -o route get "$public" | sed -n 's/.* src \\([0-9.]*\\).*/\\1/p')
case $public,$own in
,* | *, | *[!0-9.,]*) echo "The public IPv4 address is not known. Write NODE_IP=ADDRESS into /opt/livekit/state/address.env first." >&2; exit 1 ;;
esac
cat >/etc/livekit/hairpin.new <<RULES
table ip livekit_hairpin
delete table ip livekit_hairpin
table ip livekit_hairpin {
  chain output {
    type nat hook output priority -100
    ip daddr $public meta l4proto udp dnat to $own
  }
  chain postrouting {
    type nat hook postrouting priority 100
    ip saddr $own ip daddr $own ct status dnat snat to $public
  }
}
RULES
nft -c -f /etc/livekit/hairpin.new
mv /etc/livekit/hairpin.new /etc/livekit/hairpin.nft
mkdir -p /etc/systemd/system/livekit-firewall.service.d
cat >/etc/systemd/system/livekit-firewall.service.d/hairpin.conf <<UNIT
[Service]
ExecStart=/usr/sbin/nft -f /etc/livekit/hairpin.nft
ExecReload=/usr/sbin/nft -f /etc/livekit/hairpin.nft
UNIT
systemctl daemon-reload
systemctl restart livekit-firewall
END
\`\`\`
`;
