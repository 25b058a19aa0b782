import type { Severity } from "~/features/deployments/bundle/findings";
import { connectedCommands, layoutPlaces } from "../layout/layout";
import type { Report } from "./server-record";

type Finding = Report["findings"][number];
type Words = { title: string; next: string };

/**
 * What can be found of a machine that was connected as it was, and what to do there. `{wanted}` is a command or a place
 * of its own layout. Those that end like a code of the doctor's stand in its place: no `livekit-deploy` runs there.
 */
const words = {
  "connected.none": {
    title: "LiveKit is not found on the machine any more",
    next: "if it has moved there, connect it anew; if it is gone, take the script away: `{wanted}`",
  },
  "connected.stopped": {
    title: "LiveKit does not run",
    next: "`{wanted}` tells why",
  },
  "connected.livekit.silent": {
    title: "LiveKit does not answer",
    next: "`{wanted}` tells why",
  },
  "connected.keys.known": {
    title: "LiveKit takes the key of its documentation",
    next: "anybody may join and end calls: put a key of your own into {wanted} (`docker run --rm livekit/generate` makes one), and into your apps",
  },
  "connected.keys.short": {
    title: "The secret of an API key can be guessed",
    next: "replace it in {wanted} by one of 32 characters or more, and in your apps",
  },
  "connected.keys.readable": {
    title: "Everybody on the machine may read the API keys",
    next: "`sudo chmod o-r {wanted}`",
  },
  "connected.image.moves": {
    title: "The version of LiveKit changes by itself",
    next: "name a version in {wanted}: the next pull may bring one that nobody has tried with your apps",
  },
  "connected.start.manual": {
    title: "Nothing starts LiveKit after a reboot",
    next: "{wanted}",
  },
  "connected.turn.off": {
    title: "TURN is off",
    next: "people whose network lets nothing but HTTPS through reach no call: set turn with enabled, domain and tls_port in {wanted}",
  },
  "connected.cert.ending": {
    title: "A certificate should have been renewed",
    next: "look at the log of {wanted}, which renews it; port 80 and the DNS record of {subject} must be right",
  },
  "connected.cert.invalid": {
    title: "Browsers refuse a certificate",
    next: "look at the log of {wanted}: it needs a certificate for {subject}, with all intermediate ones",
  },
  "connected.cert.missing": {
    title: "A name has no certificate",
    next: "whatever answers for {subject} at port 443 needs a certificate for that name",
  },
  "connected.disk.filling": {
    title: "The disk fills up",
    next: "`sudo du -xhd3 /var /opt /home` shows where",
  },
  "connected.disk.full": {
    title: "The disk is nearly full",
    next: "`sudo du -xhd3 /var /opt /home` shows where",
  },
  "connected.version.affected": {
    title: "A version with a known fault runs",
    next: "take {wanted}",
  },
  "connected.version.exposed": {
    title: "A version that can be attacked from the internet runs",
    next: "take {wanted} now",
  },
  "connected.ice.closed": {
    title: "Calls over TCP do not reach the server",
    next: "open {subject} in your provider's firewall and on the machine",
  },
  "connected.port.closed": {
    title: "A public port is closed to the internet",
    next: "open {subject} in your provider's firewall or security group, and on the machine",
  },
  "connected.turn.tls.silent": {
    title: "TURN over TLS gives no relay",
    next: "{subject} needs DNS and a certificate, and at port 443 a proxy that passes it to LiveKit's turn.tls_port",
  },
} as const satisfies Record<string, Words>;

type Code = keyof typeof words;

const isCode = (code: string): code is Code => Object.hasOwn(words, code);

/** What a code of these means; undefined for any other. */
export function connectedWords(code: string): Words | undefined {
  return isCode(code) ? words[code] : undefined;
}

const dayMs = 86_400_000;

/** What a report of a machine that was connected as it was means. None of any other machine. */
export function layoutFindings(report: Report, now: number): Finding[] {
  const { layout, services, disk, turn } = report;
  if (!layout) return [];
  const { facts, name, proxy } = layout;
  const { logs, image, start, config } = layoutPlaces(layout);
  const found: Finding[] = [];
  const add = (code: Code, severity: Severity, subject: string, saw: string, wanted: string) =>
    found.push({ code, severity, subject, found: saw, wanted });
  const used = disk && disk.total > 0 ? Math.floor((disk.used / disk.total) * 100) : 0;
  if (used >= 95) add("connected.disk.full", "critical", "", `${used} % used`, "");
  else if (used >= 85) add("connected.disk.filling", "warning", "", `${used} % used`, "");
  if (layout.kind === "none") {
    add("connected.none", "critical", "", "", connectedCommands(layout).removal);
    return found;
  }
  const service = services.find((each) => each.name === name);
  if (service && service.state !== "running") {
    add("connected.stopped", "critical", name, service.state, logs);
  } else if (facts.answers === "no") {
    add("connected.livekit.silent", "critical", name, "no answer at its port", logs);
  }
  if (facts.keys === "known") add("connected.keys.known", "critical", name, "devkey", config);
  if (facts.keys === "short") {
    add("connected.keys.short", "warning", name, "less than 32 characters", config);
  }
  if (facts.readable) add("connected.keys.readable", "warning", config, "", config);
  if (service?.image && !/:v?\d+\.\d+|@sha256:/.test(service.image)) {
    add("connected.image.moves", "warning", name, service.image, image);
  }
  if (facts.starts === "no") add("connected.start.manual", "warning", name, "", start);
  if (turn === false) add("connected.turn.off", "warning", name, "", config);
  const ends = Number(facts["certificate-ends"] ?? Number.NaN) * 1_000;
  const days = Math.floor((ends - now) / dayMs);
  const domain = report.domain ?? "";
  if (days < 14) {
    const severity = days < 3 ? "critical" : "warning";
    add("connected.cert.ending", severity, domain, `it ends in ${Math.max(0, days)} days`, proxy);
  }
  if (facts["certificate-invalid"]) {
    add("connected.cert.invalid", "critical", domain, facts["certificate-invalid"], proxy);
  }
  return found;
}

/** Findings of ours, or of a check from outside, in the words of the machine's own layout. */
export function forLayout(findings: readonly Finding[], report: Report): Finding[] {
  const { layout } = report;
  if (!layout) return [...findings];
  return findings.map((finding) => {
    const code = `connected.${finding.code}`;
    if (!isCode(code)) return finding;
    const isVersion = finding.code.startsWith("version.");
    const tag = finding.wanted.split("=")[1] ?? "";
    const wanted = isVersion ? `${tag} for ${layoutPlaces(layout).image}` : finding.wanted;
    return { ...finding, code, wanted };
  });
}
