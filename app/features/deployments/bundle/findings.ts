/** `critical`: something does not work. `warning`: everything works, but somebody should look at it. */
export type Severity = "warning" | "critical";

type Finding = {
  severity: Severity;
  /** What is wrong, as a list of findings shows it. */
  title: string;
  /** What to do next, with commands and records between backticks. `{subject}` and `{wanted}` are replaced by these fields of the report. */
  next: string;
};

/**
 * Everything that the doctor can find, by its code. The machine's `doctor.sh`, the README and the console take severity
 * and next step from this table. A code never changes its meaning, because programs of customers read it.
 */
export const findings = {
  "address.unknown": {
    severity: "warning",
    title: "The machine's public address is not known",
    next: "`sudo livekit-deploy restart` asks again; or write NODE_IP=ADDRESS, LIVEKIT_RTC_USE_EXTERNAL_IP=false into /opt/livekit/state/address.env first",
  },
  "alert.firing": {
    severity: "critical",
    title: "An alert of Prometheus is firing",
    next: "look at the machine now: the alert is described in prometheus-rules.yaml",
  },
  "alerts.silent": {
    severity: "warning",
    title: "Prometheus does not answer, so no alert can be seen",
    next: "`sudo livekit-deploy logs prometheus`",
  },
  "backup.old": {
    severity: "warning",
    title: "The newest backup is too old",
    next: "`sudo livekit-deploy backup`; `sudo journalctl -u livekit-backup` tells why the timer made none",
  },
  "backup.remote.failed": {
    severity: "warning",
    title: "The newest backup was not copied off the machine",
    next: "`sudo livekit-deploy backup` tries again and tells why",
  },
  "backup.test.failed": {
    severity: "warning",
    title: "The newest backup could not be restored when it was tried",
    next: "`sudo livekit-deploy backup`, then: `sudo systemctl start livekit-backup-test`; `sudo journalctl -u livekit-backup-test`",
  },
  "boot.failed": {
    severity: "critical",
    title: "The first boot has failed",
    next: "mend what it says, then `sudo reboot`: each boot tries again; for another system make a new machine",
  },
  "boot.retrying": {
    severity: "warning",
    title: "The first boot has to try something again",
    next: "nothing for now: it tries for an hour by itself; `sudo tail /opt/livekit/state/first-boot.log` says more",
  },
  "cert.dns": {
    severity: "critical",
    title: "A name has no valid certificate from the DNS provider's way",
    next: "`sudo livekit-deploy certificate` asks again and says what {subject} lacks",
  },
  "cert.dns.credentials": {
    severity: "warning",
    title: "The machine has no credentials of the DNS provider",
    next: "`sudo livekit-deploy set dns-credentials`",
  },
  "cert.dns.ending": {
    severity: "warning",
    title: "A certificate was not renewed by the DNS provider's way",
    next: "`sudo livekit-deploy certificate` tries it for {subject} and says what fails",
  },
  "cert.ending": {
    severity: "critical",
    title: "A certificate ends within three days",
    next: "`sudo livekit-deploy logs caddy` tells why: DNS of {subject}, port 80, a rate limit; mended, `sudo livekit-deploy restart` asks anew, and cuts calls",
  },
  "cert.expiring": {
    severity: "warning",
    title: "A certificate should have been renewed",
    next: "`sudo livekit-deploy logs caddy` tells why; port 80 and the DNS record of {subject} must be right",
  },
  "cert.files": {
    severity: "critical",
    title: "A name has no valid certificate of yours",
    next: "`sudo livekit-deploy certificate FULLCHAIN.pem KEY.pem`, with all intermediate certificates and {subject} among its names",
  },
  "cert.files.ending": {
    severity: "warning",
    title: "Your certificate ends within two weeks",
    next: "renew it for {subject} where it comes from, then `sudo livekit-deploy certificate FULLCHAIN.pem KEY.pem`",
  },
  "cert.invalid": {
    severity: "critical",
    title: "Browsers refuse a certificate",
    next: "`sudo livekit-deploy logs caddy`; a certificate that ended is renewed once port 80 is reached as {subject}",
  },
  "cert.limited": {
    severity: "critical",
    title: "The certificate authority gives no certificate for now",
    next: "do not create the machine again: Caddy tries after {wanted}; `sudo livekit-deploy restore FILE` brings a backup's certificates along",
  },
  "cert.missing": {
    severity: "critical",
    title: "A name has no certificate",
    next: "`sudo livekit-deploy logs caddy`; port 80 must be open and {subject} must point here",
  },
  "clock.unsynchronized": {
    severity: "warning",
    title: "Nobody sets the clock",
    next: "`sudo timedatectl set-ntp true`",
  },
  "clock.wrong": {
    severity: "critical",
    title: "The clock is wrong",
    next: "`sudo timedatectl set-ntp true`, then `sudo livekit-deploy restart`: tokens need the right time",
  },
  "disk.filling": {
    severity: "warning",
    title: "The disk fills up",
    next: "`sudo du -xhd3 /opt /var` shows where; `sudo docker image prune`; recordings in /opt/livekit/out are yours, so copy them before you remove any",
  },
  "disk.full": {
    severity: "critical",
    title: "The disk is nearly full",
    next: "`sudo du -xhd3 /opt /var` shows where; `sudo docker image prune -a`; recordings in /opt/livekit/out are no waste: copy them before you remove any",
  },
  "dns.ipv6": {
    severity: "warning",
    title: "A name does not lead here by IPv6",
    next: "set this record at your DNS provider: `{subject} {wanted}`",
  },
  "dns.missing": {
    severity: "critical",
    title: "A name has no address",
    next: "set the missing record at your DNS provider: `{subject} {wanted}`",
  },
  "dns.wrong": {
    severity: "critical",
    title: "A name leads elsewhere",
    next: "change the record to: `{subject} {wanted}`; no proxy or CDN in between",
  },
  "files.affected": {
    severity: "warning",
    title: "The files name a program with a known fault",
    next: "download the files again, then: `sudo livekit-deploy apply FILE.zip`",
  },
  "firewall.closed": {
    severity: "critical",
    title: "The machine's firewall does not let a public port through",
    next: "`sudo systemctl reload-or-restart livekit-firewall`; if it stays so, `sudo livekit-deploy apply FILE.zip` with the newest bundle",
  },
  "firewall.conflict": {
    severity: "warning",
    title: "Another firewall drops what calls need",
    next: "`{wanted}`, and keep that where {subject} keeps its rules: what either firewall drops reaches nobody",
  },
  "firewall.missing": {
    severity: "critical",
    title: "The firewall is not loaded",
    next: "`sudo systemctl reload-or-restart livekit-firewall`",
  },
  "insights.failing": {
    severity: "warning",
    title: "What agents recorded could not be stored",
    next: "`sudo journalctl -u {subject}` says why: a full disk most often; LiveKit and its agents go on",
  },
  "insights.silent": {
    severity: "warning",
    title: "Nobody takes what agents record",
    next: "`sudo systemctl restart livekit-insights.timer`, then `sudo journalctl -u {subject}`; without its files: `sudo livekit-deploy apply FILE.zip`",
  },
  "job.failed": {
    severity: "warning",
    title: "A job of the machine failed",
    next: "`sudo journalctl -u {subject}`; it is tried again by its timer",
  },
  "key.pending": {
    severity: "warning",
    title: "LiveKit does not take the new API key yet",
    next: "`sudo livekit-deploy restart`",
  },
  "livekit.silent": {
    severity: "critical",
    title: "LiveKit does not answer",
    next: "`sudo livekit-deploy logs livekit`",
  },
  "port.exposed": {
    severity: "warning",
    title: "An internal service listens beyond the machine",
    next: "bind {subject} to 127.0.0.1; the firewall keeps it shut meanwhile",
  },
  "port.silent": {
    severity: "critical",
    title: "Nobody listens on a public port",
    next: "`sudo livekit-deploy logs`, and look for {subject}",
  },
  "port.taken": {
    severity: "critical",
    title: "Another program holds a public port",
    next: "stop it; or let it stay in front of LiveKit: set `proxy` to `existing` and take the new bundle, whose README shows how",
  },
  "reboot.waiting": {
    severity: "warning",
    title: "A system update waits for a reboot",
    next: "`sudo reboot`, in a quiet hour",
  },
  "redis.data": {
    severity: "critical",
    title: "Redis cannot read its data",
    next: "`sudo livekit-deploy restore FILE`; without a backup move {subject} aside and restart: trunks, dispatch rules and ingresses are lost",
  },
  "redis.unreachable": {
    severity: "critical",
    title: "LiveKit does not reach your Redis",
    next: "`sudo livekit-deploy set redis-password`, or its authority in the options; then `sudo livekit-deploy restart`",
  },
  "restore.interrupted": {
    severity: "critical",
    title: "A restore was interrupted",
    next: "`sudo systemctl restart livekit` puts the earlier state back",
  },
  "secrets.missing": {
    severity: "critical",
    title: "The machine has no secrets",
    next: "`sudo /opt/livekit/bin/first-boot.sh`",
  },
  "secrets.readable": {
    severity: "critical",
    title: "Others may read the secrets",
    next: "`sudo chmod 600 /opt/livekit/secrets.env`",
  },
  "service.down": {
    severity: "critical",
    title: "A service does not run well",
    next: "`sudo livekit-deploy logs {subject}`",
  },
  "service.starting": {
    severity: "warning",
    title: "A service is starting",
    next: "look again in a minute",
  },
  "turn.hairpin": {
    severity: "critical",
    title: "The network does not bring back what the machine sends to its own public address",
    next: "clients that need TURN reach no call: do what the README says under When the network brings nothing back",
  },
  "turn.refused": {
    severity: "critical",
    title: "TURN takes no API key of this machine",
    next: "`sudo livekit-deploy restart`, so that it reads secrets.env",
  },
  "turn.tls.silent": {
    severity: "critical",
    title: "TURN over TLS gives no relay",
    next: "`sudo livekit-deploy logs caddy` and `sudo livekit-deploy logs livekit`; {subject} needs DNS and a certificate first",
  },
  "turn.udp.silent": {
    severity: "critical",
    title: "TURN over UDP gives no relay",
    next: "`sudo livekit-deploy logs livekit`, and look for TURN and {subject}",
  },
  "turn.unchecked": {
    severity: "warning",
    title: "TURN could not be looked at",
    next: "python3 must run /opt/livekit/bin/turn-check.py: install python3",
  },
  "unit.failed": {
    severity: "critical",
    title: "A unit of systemd failed",
    next: "`sudo systemctl status {subject}`, mend what it names, then `sudo systemctl restart {subject}`",
  },
  "update.interrupted": {
    severity: "warning",
    title: "An update was interrupted",
    next: "`sudo livekit-deploy update`",
  },
  "version.affected": {
    severity: "warning",
    title: "A version with a known fault runs",
    next: "`sudo livekit-deploy update --to {wanted}`, with the tag of a newer version",
  },
} as const satisfies Record<string, Finding>;

/** What only the doctor of a machine of a cluster can find. Other machines' scripts do not have these. */
export const clusterFindings = {
  "balancer.draining": {
    severity: "warning",
    title: "The balancer gives this machine no new connections",
    next: "they come again once the drain has ended and LiveKit has started: `sudo livekit-deploy status`",
  },
  "balancer.refused": {
    severity: "critical",
    title: "The balancer takes this machine for dead",
    next: "`sudo livekit-deploy logs caddy` and `sudo livekit-deploy logs livekit` say why one of them does not answer",
  },
  "clock.apart": {
    severity: "critical",
    title: "The clocks of two machines differ",
    next: "on this machine and on the edge, {subject}: `sudo timedatectl set-ntp true`; LiveKit believes no machine that is two seconds away",
  },
  "dns.unbalanced": {
    severity: "warning",
    title: "A name leads to one machine and not to the balancer",
    next: "let the record of {subject} lead to the balancer: without this machine nobody would find the others",
  },
  "edge.refused": {
    severity: "critical",
    title: "The edge does not take this machine's password",
    next: "on your computer: `sh cluster.sh join NODE` brings this machine the secrets of the edge",
  },
  "edge.silent": {
    severity: "critical",
    title: "The edge does not answer this machine",
    next: "on the edge, {subject}: `sudo livekit-deploy doctor`; the private network has to let its port 6379 through",
  },
  "node.draining": {
    severity: "warning",
    title: "A machine of the cluster takes no new relays",
    next: "a drain ends this once LiveKit starts again; without a drain on {subject} the private network has to let its port 5349 through",
  },
  "node.silent": {
    severity: "critical",
    title: "A machine of the cluster does not answer the edge",
    next: "on {subject}: `sudo livekit-deploy doctor`; if it is gone for good, on your computer: `sh cluster.sh leave {subject} --gone`",
  },
  "nodes.fewer": {
    severity: "warning",
    title: "The cluster has fewer machines than its options say",
    next: "on your computer: `sh cluster.sh join NODE`, for one for recording `sh cluster.sh join --egress NODE`; or change the options",
  },
  "nodes.none": {
    severity: "critical",
    title: "The cluster has no machine for calls",
    next: "on your computer, for each of them: `sh cluster.sh join NODE`",
  },
  "role.address": {
    severity: "critical",
    title: "The machine has lost its private address",
    next: "give it {subject} again; with another one: `sh cluster.sh leave NODE`, then `sh cluster.sh join NODE`, on your computer",
  },
  "role.missing": {
    severity: "warning",
    title: "The machine has no role in its cluster yet",
    next: "on your computer: `sh cluster.sh make`, with all its machines, for a new cluster, or `sh cluster.sh join NODE`; `join --egress NODE` to record alone",
  },
  "role.unwatched": {
    severity: "warning",
    title: "Nothing notices when Redis loses its data",
    next: "`sudo systemctl enable --now {subject}`",
  },
} as const satisfies Record<string, Finding>;

/**
 * What only a check from outside can find: no doctor on the machine sees it, so its scripts do not have these. They are
 * used like those above, which checks find too.
 */
export const outsideFindings = {
  "dns.proxied": {
    severity: "warning",
    title: "A name leads to a proxy",
    next: "switch the proxy off for this record: `{subject} {wanted}`; TURN over TLS does not pass through it",
  },
  "ice.closed": {
    severity: "warning",
    title: "Calls over TCP do not reach the server",
    next: "open {subject} in your provider's firewall, then on the machine: `sudo livekit-deploy doctor`",
  },
  "port.closed": {
    severity: "critical",
    title: "A public port is closed to the internet",
    next: "open {subject} in your provider's firewall or security group, then on the machine: `sudo livekit-deploy doctor`",
  },
} as const satisfies Record<string, Finding>;

export type FindingCode = keyof typeof findings | keyof typeof clusterFindings;

/** The code of anything that a check from outside can find. */
export type CheckFindingCode = FindingCode | keyof typeof outsideFindings;

/** What a code means, of the doctor or of a check; undefined for one that is newer than these tables. */
export function findingOf(code: string): Finding | undefined {
  const all: Readonly<Record<string, Finding>> = {
    ...findings,
    ...clusterFindings,
    ...outsideFindings,
  };
  return Object.hasOwn(all, code) ? all[code] : undefined;
}
