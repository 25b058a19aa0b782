import { utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { findings } from "~/features/deployments/bundle/findings.ts";
import { runningMachine } from "../support/deployments/machine.ts";
import { amount } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const everything = {
  monitoring: "24/7",
  alertUrl: "https://alerts.example.com/hook",
  backups: { frequency: "daily" },
  insights: { kind: "machine" },
};

type Fault = {
  what: string;
  /** The control of a fake that makes the fault, and its content. */
  set: [name: string, content?: string];
  /** The row, and the whole line of the report without its severity. */
  row: RegExp;
  report: [code: keyof typeof findings, subject: string, found: string, wanted?: string];
};

/** Our table with the public ports of a usual deployment, as nft lists it. */
const ours = `table inet livekit {
	chain input {
		type filter hook input priority filter; policy drop;
		ct state established,related accept
		iifname "lo" ip daddr 127.0.0.0/8 accept
		meta nfproto ipv4 tcp dport { 80, 443, 7881 } accept
		meta nfproto ipv4 udp dport 3478 accept
		meta nfproto ipv4 udp dport 50000-60000 accept
	}
}
`;

/** What iptables says of a rule that refuses everything but SSH, as Oracle's images have it. */
const refusing = (reason: string) => `-P INPUT ACCEPT
-P FORWARD ACCEPT
-A INPUT -m state --state RELATED,ESTABLISHED -j ACCEPT
-A INPUT -p icmp -j ACCEPT
-A INPUT -i lo -j ACCEPT
-A INPUT -i tailscale0 -j ACCEPT
-A INPUT -p tcp -m state --state NEW -m tcp --dport 22 -j ACCEPT
-A INPUT -j REJECT --reject-with ${reason}
`;

/** What iptables says where ufw is on and lets in SSH and port 80. */
const ufw = `-P INPUT DROP
-N ufw-before-input
-N ufw-not-local
-N ufw-user-input
-A INPUT -j ufw-before-input
-A INPUT -j ufw-after-logging-input
-A ufw-before-input -i lo -j ACCEPT
-A ufw-before-input -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A ufw-before-input -m conntrack --ctstate INVALID -j DROP
-A ufw-before-input -j ufw-not-local
-A ufw-before-input -j ufw-user-input
-A ufw-not-local -m addrtype --dst-type LOCAL -j RETURN
-A ufw-not-local -m limit --limit 3/min --limit-burst 10 -j ufw-logging-deny
-A ufw-not-local -j DROP
-A ufw-user-input -p tcp -m tcp --dport 22 -m comment --comment "ssh for -j DROP" -j ACCEPT
-A ufw-user-input -p tcp -m multiport --dports 80,8080 -j ACCEPT
`;

/** A firewall of somebody's own for a web server, as nft lists it. */
const otherTable = `table inet filter {
	set blocked {
		type ipv4_addr
		flags interval
	}
	chain input {
		type filter hook input priority filter + 5; policy accept;
		iifname "lo" accept
		ct state vmap { invalid : drop, established : accept, related : accept }
		ip saddr @blocked drop
		meta l4proto { icmp, ipv6-icmp } accept
		tcp dport { 22, 80, 443 } counter packets 12 bytes 720 accept comment "web, drop nothing"
		counter packets 4 bytes 240 jump refuse
	}
	chain refuse {
		limit rate 5/minute log prefix "refused: " level info
		reject with icmpx admin-prohibited
	}
	chain forward {
		type filter hook forward priority filter; policy drop;
	}
}
`;

/** firewalld with the service "https" and the ports of calls, as nft lists it. */
const firewalld = `table inet firewalld {
	chain filter_INPUT {
		type filter hook input priority filter + 10; policy accept;
		ct state { established, related } accept
		ct status dnat accept
		iifname "lo" accept
		ct state invalid drop
		jump filter_INPUT_ZONES
		reject with icmpx admin-prohibited
	}
	chain filter_INPUT_ZONES {
		iifname "eth0" goto filter_IN_public
		goto filter_IN_public
	}
	chain filter_IN_public {
		jump filter_IN_public_allow
		meta l4proto { icmp, ipv6-icmp } accept
		reject with icmpx admin-prohibited
	}
	chain filter_IN_public_allow {
		tcp dport 22 accept
		ip6 daddr fe80::/64 udp dport 546 accept
		tcp dport 443 accept
		tcp dport 80 accept
		tcp dport 7881 accept
		udp dport 3478 accept
		udp dport 50000-60000 accept
	}
}
`;

const faults: Fault[] = [
  {
    what: "a name without an address",
    set: ["address-turn.livekit.example.com"],
    row: /FAIL +DNS turn.*no address/,
    report: ["dns.missing", "turn.livekit.example.com", "no address", "A 203.0.113.5"],
  },
  {
    what: "DNS that is wrong",
    set: ["address-livekit.example.com", "198.51.100.1 STREAM\n"],
    row: /FAIL +DNS livekit.*not to 203\.0\.113\.5\n +next: change the record to: livekit\.example\.com A 203\.0\.113\.5;/,
    report: [
      "dns.wrong",
      "livekit.example.com",
      "points to 198.51.100.1, not to 203.0.113.5",
      "A 203.0.113.5",
    ],
  },
  {
    what: "a port without a listener",
    set: ["listening-tcp", "LISTEN 0 0 *:443 *:*\n"],
    row: /FAIL +port 7881\/tcp +nobody listens/,
    report: ["port.silent", "7881/tcp", "nobody listens"],
  },
  {
    what: "UDP without a listener",
    set: ["listening-udp"],
    row: /FAIL +port 3478\/udp +nobody listens/,
    report: ["port.silent", "3478/udp", "nobody listens"],
  },
  {
    what: "a firewall that is not loaded",
    set: ["no-firewall"],
    row: /FAIL +firewall.*\n.*reload-or-restart livekit-firewall/,
    report: ["firewall.missing", "nftables", "not loaded: internal ports may be open"],
  },
  {
    what: "M2: a firewall of ours that is not the one of these files",
    set: ["loaded-rules", ours.replace("3478", "443")],
    row: /FAIL +firewall +it drops 3478\/udp\n.*reload-or-restart livekit-firewall/,
    report: ["firewall.closed", "nftables", "it drops 3478/udp"],
  },
  {
    what: "C6: ufw beside ours",
    set: ["iptables", ufw],
    row: /WARN +firewall ufw +it drops 443\/tcp.*\n +next: for port in 443\/tcp .*; do sudo ufw allow \$port; done, and keep/,
    report: [
      "firewall.conflict",
      "ufw",
      "it drops 443/tcp 7881/tcp 3478/udp 50000-60000/udp",
      "for port in 443/tcp 7881/tcp 3478/udp 50000:60000/udp; do sudo ufw allow $port; done",
    ],
  },
  {
    what: "C6: a table of nftables beside ours",
    set: ["other-tables", otherTable],
    row: /WARN +firewall nft inet filter input +it drops 7881\/tcp 3478\/udp 50000-60000\/udp/,
    report: [
      "firewall.conflict",
      "nft inet filter input",
      "it drops 7881/tcp 3478/udp 50000-60000/udp",
      'sudo nft insert rule inet filter input tcp dport "{ 7881 }" accept; sudo nft insert rule inet filter input udp dport "{ 3478,50000-60000 }" accept',
    ],
  },
  {
    what: "C6: a rule of iptables that refuses the rest",
    set: ["iptables", refusing("icmp-host-prohibited")],
    row: /WARN +firewall iptables +it drops 443\/tcp 80\/tcp/,
    report: [
      "firewall.conflict",
      "iptables",
      "it drops 443/tcp 80/tcp 7881/tcp 3478/udp 50000-60000/udp",
      "sudo iptables -I INPUT -p tcp -m multiport --dports 443,80,7881 -j ACCEPT; sudo iptables -I INPUT -p udp -m multiport --dports 3478,50000:60000 -j ACCEPT",
    ],
  },
  {
    what: "C8: another program on 443",
    set: [
      "listening-tcp",
      'LISTEN 0 511 0.0.0.0:443 0.0.0.0:* users:(("nginx",pid=812,fd=6),("nginx",pid=811,fd=6))\nLISTEN 0 4096 *:7881 *:* users:(("livekit-server",pid=901,fd=9))\n',
    ],
    row: /FAIL +port 443\/tcp +another program holds it: nginx\n +next: .*set proxy to existing/,
    report: ["port.taken", "443/tcp", "another program holds it: nginx"],
  },
  {
    what: "a certificate that was not issued",
    set: ["no-certificate-livekit.example.com"],
    row: /FAIL +certificate livekit/,
    report: ["cert.missing", "livekit.example.com", "none is shown"],
  },
  {
    what: "a certificate that browsers refuse",
    set: ["refused-certificate-livekit.example.com", "10:certificate has expired"],
    row: /FAIL +certificate livekit.* certificate has expired/,
    report: ["cert.invalid", "livekit.example.com", "certificate has expired"],
  },
  {
    what: "a unit that failed",
    set: ["state-livekit.service", "failed\nfailed\n"],
    row: /FAIL +unit livekit +failed\n +next: sudo systemctl status livekit\.service,/,
    report: ["unit.failed", "livekit.service", "failed"],
  },
  {
    what: "a unit that failed and is tried again",
    set: ["state-livekit.service", "activating\nauto-restart\n"],
    row: /FAIL +unit livekit +failed, and waits for its next try/,
    report: ["unit.failed", "livekit.service", "failed, and waits for its next try"],
  },
  {
    what: "a backup that failed",
    set: ["state-livekit-backup.service", "failed\n"],
    row: /WARN +job livekit-backup +its last run failed\n +next: sudo journalctl -u livekit-backup\.service/,
    report: ["job.failed", "livekit-backup.service", "its last run failed"],
  },
  {
    what: "an unhealthy container",
    set: ["condition-redis", "running unhealthy"],
    row: /FAIL +service redis +running unhealthy/,
    report: ["service.down", "redis", "running unhealthy"],
  },
  {
    what: "a container that is not there",
    set: ["absent-redis"],
    row: /FAIL +service redis +absent/,
    report: ["service.down", "redis", "absent"],
  },
  {
    what: "a container that starts",
    set: ["condition-livekit", "running starting"],
    row: /WARN +service livekit +starting/,
    report: ["service.starting", "livekit", "starting"],
  },
  {
    what: "a version that is affected",
    set: ["running/livekit", "livekit/livekit-server:v1.10.0 sha256:1"],
    row: /WARN +service livekit +v1\.10\.0 runs, which has a known fault\n +next: sudo livekit-deploy update --to livekit=TAG/,
    report: ["version.affected", "livekit", "v1.10.0 runs, which has a known fault", "livekit=TAG"],
  },
  {
    what: "an affected version behind a tag that moves",
    set: ["label-livekit", "v1.10.0"],
    row: /WARN +service livekit +v1\.10\.0 runs/,
    report: ["version.affected", "livekit", "v1.10.0 runs, which has a known fault", "livekit=TAG"],
  },
  {
    what: "LiveKit that does not answer",
    set: ["livekit-silent"],
    row: /FAIL +LiveKit answers +not on port 7880/,
    report: ["livekit.silent", "livekit", "not on port 7880"],
  },
  {
    what: "TURN over UDP that is dead",
    set: ["turn-udp", "udp silent no answer\n"],
    row: /FAIL +TURN over UDP +no answer/,
    report: ["turn.udp.silent", "3478/udp", "no answer"],
  },
  {
    what: "TURN over TLS that is dead",
    set: ["turn-tls", "tls silent Allocate was answered with 508\n"],
    row: /FAIL +TURN over TLS +Allocate was answered with 508/,
    report: ["turn.tls.silent", "turn.livekit.example.com", "Allocate was answered with 508"],
  },
  {
    what: "TURN that takes no key",
    set: ["turn-udp", "udp refused Allocate was answered with 400\n"],
    row: /FAIL +TURN over UDP +Allocate was answered with 400/,
    report: ["turn.refused", "3478/udp", "Allocate was answered with 400"],
  },
  {
    what: "a network without hairpin",
    set: ["turn-more", "hairpin lost 203.0.113.5\n"],
    row: /FAIL +TURN hairpin +a packet to 203\.0\.113\.5 did not come back/,
    report: ["turn.hairpin", "203.0.113.5", "a packet to 203.0.113.5 did not come back"],
  },
  {
    what: "a LiveKit that does not know the new key",
    set: ["turn-more", "hairpin ok 203.0.113.5\nkey pending\n"],
    row: /WARN +API key +LiveKit takes the old one only\n +next: sudo livekit-deploy restart/,
    report: ["key.pending", "LIVEKIT_API_KEY", "LiveKit takes the old one only"],
  },
  {
    what: "a certificate that should have been renewed",
    set: ["certificate-days", "10"],
    row: /WARN +certificate.*10 days left/,
    report: ["cert.expiring", "livekit.example.com", "10 days left, it should have been renewed"],
  },
  {
    what: "a certificate near its end",
    set: ["certificate-days", "1"],
    row: /FAIL +certificate.*1 days left/,
    report: ["cert.ending", "livekit.example.com", "1 days left"],
  },
  {
    what: "a disk that fills",
    set: ["disk-used", "90"],
    row: /WARN +disk +90 % used/,
    report: ["disk.filling", "ROOT/opt/livekit", "90 % used"],
  },
  {
    what: "a full disk",
    set: ["disk-used", "97"],
    row: /FAIL +disk +97 % used/,
    report: ["disk.full", "ROOT/opt/livekit", "97 % used"],
  },
  {
    what: "a clock that nobody sets",
    set: ["no-time"],
    row: /WARN +clock +not synchronized/,
    report: [
      "clock.unsynchronized",
      "ubuntu-24.04",
      "not synchronized: tokens and certificates need the right time",
    ],
  },
  {
    what: "an alert of Prometheus",
    set: ["firing", '{"data":{"result":[{"metric":{"alertname":"DiskFull"}}]}}'],
    row: /FAIL +alerts +DiskFull is firing/,
    report: ["alert.firing", "DiskFull", "DiskFull is firing"],
  },
  {
    what: "a receiver of agent insights that does not run",
    set: ["insights-silent"],
    row: /WARN +agent insights +the receiver does not answer\n +next: sudo systemctl restart livekit-insights\.timer/,
    report: ["insights.silent", "livekit-insights.service", "the receiver does not answer"],
  },
  {
    what: "a silent Prometheus",
    set: ["prometheus-silent"],
    row: /WARN +alerts/,
    report: ["alerts.silent", "prometheus", "Prometheus does not answer"],
  },
];

/** What a fault is about: of two such faults a machine can have one. */
const aboutTheSame = (one: Fault, other: Fault) =>
  one.set[0] === other.set[0] || one.report[1] === other.report[1];

/** The faults of each severity on as few machines as can have them all. */
function onFewMachines(): Fault[][] {
  const machines: Fault[][] = [];
  for (const fault of faults) {
    const severity = findings[fault.report[0]].severity;
    const free = machines.find((others) =>
      others.every(
        (other) => findings[other.report[0]].severity === severity && !aboutTheSame(other, fault),
      ),
    );
    if (free) free.push(fault);
    else machines.push([fault]);
  }
  return machines;
}

const planted = amount({ inTest: onFewMachines(), inProof: faults.map((fault) => [fault]) }).map(
  (together) => [together.map(({ what }) => what).join(", "), together] as const,
);

test.each(planted)(
  "the doctor finds what is planted, its code and next step: %s",
  (_, together) => {
    using server = runningMachine(everything);
    for (const { set } of together) server.set(set[0], set[1] ?? "");
    const answer = server.run("doctor", ["--quiet", "--keep", "state/kept"]);
    const reportLines = server
      .read("opt/livekit/state/kept")
      .replaceAll(server.root, "ROOT")
      .split("\n");
    expect(answer.output).not.toMatch(/^ok/m);
    for (const { row, report } of together) {
      const [code, subject, found, expected = ""] = report;
      const { severity } = findings[code];
      expect(answer.output).toMatch(row);
      expect(answer.output).toMatch(new RegExp(`^ +next: \\S.* \\[${code}\\]$`, "m"));
      expect(reportLines).toContain([code, severity, subject, found, expected].join("\t"));
      expect(answer.status).toBe(severity === "critical" ? 2 : 1);
    }
  },
);

test("the doctor says from Caddy's log when a limited name gets a certificate again (C9)", () => {
  using server = runningMachine(everything);
  /** Caddy's log after Let's Encrypt has refused, as JSON in lines of Docker Compose. */
  const refused = (until: string) =>
    `caddy-1  | {"level":"info","ts":1795855199.1,"logger":"tls.obtain","msg":"obtaining certificate","identifier":"livekit.example.com"}
caddy-1  | {"level":"error","ts":1795855200.2,"logger":"tls.obtain","msg":"could not get certificate from issuer","identifier":"livekit.example.com","issuer":"acme-v02.api.letsencrypt.org-directory","error":"HTTP 429 urn:ietf:params:acme:error:rateLimited - too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after ${until}: see https://letsencrypt.org/docs/rate-limits/#new-certificates-per-exact-set-of-identifiers"}
`;
  const later = "2099-12-02 03:11:50 UTC";
  server.set("caddy-log", refused("2099-11-30 10:00:00 UTC") + refused(later));
  // A name that has its certificate is well, whatever was refused.
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, output: "" });
  server.set("no-certificate-livekit.example.com");
  server.set("no-certificate-turn.livekit.example.com");
  const limited = server.run("doctor", ["--quiet", "--keep", "state/kept"]);
  expect(limited.output).toMatch(
    /FAIL +certificate livekit\.example\.com +none is shown, and the authority gives none before 2099-12-02 03:11:50 UTC\n +next: do not create the machine again: Caddy tries after 2099-12-02 03:11:50 UTC; sudo livekit-deploy restore FILE .*\[cert\.limited\]/,
  );
  const [, ...others] = server.read("opt/livekit/state/kept").split("\n").reverse();
  expect(others.map((line) => line.split("\t").slice(0, 3))).toEqual([
    ["cert.missing", "critical", "turn.livekit.example.com"],
    ["cert.limited", "critical", "livekit.example.com"],
  ]);
  // Once it is over, the name has no certificate for another reason.
  server.set("caddy-log", refused("2026-01-02 03:04:05 UTC"));
  expect(server.run("doctor", ["--quiet"]).output).not.toContain("cert.limited");
});

test("C6: another firewall that lets the public ports through is nothing to look at", () => {
  using server = runningMachine(everything);
  const allowed = ["443/tcp", "7881/tcp", "3478/udp", "50000:60000/udp"]
    .map((port) => port.split("/"))
    .map(
      ([dport, protocol]) =>
        `-A ufw-user-input -p ${protocol} -m ${protocol} --dport ${dport} -j ACCEPT\n`,
    );
  server.set("iptables", `${ufw}${allowed.join("")}`);
  server.set("other-tables", firewalld);
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, output: "" });
  // One port less, and it is seen.
  server.set("other-tables", firewalld.replace("\t\ttcp dport 7881 accept\n", ""));
  expect(server.run("doctor", ["--quiet"]).output).toMatch(
    /^WARN +firewall firewalld +it drops 7881\/tcp\n +next: for port in 7881\/tcp; do sudo firewall-cmd --permanent --add-port=\$port; done; sudo firewall-cmd --reload, and/,
  );
});

test("C7: Oracle's rules for IPv6 are seen where the deployment serves IPv6", () => {
  using server = runningMachine({ provider: "oracle", addresses: "dual" });
  server.set("ip6tables", refusing("icmp6-adm-prohibited"));
  expect(server.run("doctor", ["--quiet"])).toMatchObject({
    status: 1,
    output: expect.stringMatching(/^WARN +firewall ip6tables +it drops 443\/tcp /),
  });
});

test("a report to the console that failed is no fault of the machine", () => {
  using server = runningMachine(everything);
  server.set("state-livekit-report.service", "failed\n");
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, output: "" });
});

test("what the receiver of agent insights could not store is found for a day", () => {
  using server = runningMachine(everything);
  const failure = "var/lib/private/livekit-insights/failure";
  server.write(failure, "No space left\ton device\n");
  expect(server.run("doctor", ["--report"]).output).toBe(
    "insights.failing\twarning\tlivekit-insights.service\tNo space lefton device\t\n",
  );
  const yesterday = Date.now() / 1_000 - 25 * 3_600;
  utimesSync(server.path(failure), yesterday, yesterday);
  expect(server.run("doctor", ["--report"]).output).toBe("");
});

test("without agent insights nobody misses their receiver", () => {
  using server = runningMachine({ ...everything, insights: { kind: "none" } });
  server.set("insights-silent");
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, output: "" });
});

test("the report has a strict form, nothing secret in it, and a key is nobody's parameter", () => {
  using server = runningMachine(everything);
  for (const { set } of faults) server.set(set[0], set[1] ?? "");
  server.set("turn-tls", "tls silent b\u0007\u00e4d\ttab\n");
  const secrets = [...server.read("opt/livekit/secrets.env").matchAll(/=(.+)$/gm)];
  expect(secrets).toHaveLength(3);
  server.forget();
  const { output } = server.run("doctor", ["--report", "--keep", "state/kept"]);
  for (const line of output.split("\n").slice(0, -1)) {
    expect(line).toMatch(/^[a-z0-9.]+\t(warning|critical)\t[ -~]+\t[ -~]+\t[ -~]*$/);
    expect(Object.keys(findings)).toContain(line.split("\t")[0]);
  }
  expect(output).toContain("\tb???d?tab\t\n");
  expect(server.read("opt/livekit/state/kept")).toBe(output);
  for (const [, secret = ""] of secrets)
    for (const text of [output, server.calls()]) expect(text).not.toContain(secret);
  // The check of TURN has read them all the same.
  expect(server.controlContent("turn-keys")).toContain(secrets[1]?.[1]);
});
