import { isProxyAddress } from "../public-internet.ts";
import type { ResolvedName } from "../public-name.server";
import { type CheckTarget, type RungResult, rungs } from "./check.ts";

/** `refused`: the connection failed at once. `silent`: nobody answered in time. */
export type PortAnswer = "open" | "refused" | "silent";
export type TurnAnswer = "turn" | "other" | "refused" | "silent";
type HttpsAnswer = "livekit" | "starting" | "nothing" | "certificate" | "other";

/**
 * How a check asks the internet. What takes an address is only given one that is the server's own, public, and what the
 * name has just led to. What takes a name opens TLS, which only a server with a certificate for that name passes: whoever
 * lets the name lead elsewhere meanwhile is told nothing by us, and we send nothing.
 */
export type Probes = {
  resolve: (name: string) => Promise<ResolvedName>;
  port: (address: string, port: number) => Promise<PortAnswer>;
  tls: (name: string) => Promise<PortAnswer>;
  /** When the certificate that is shown for a name ends, in milliseconds since 1970. */
  certificateEnd: (address: string, name: string) => Promise<number | undefined>;
  https: (name: string) => Promise<HttpsAnswer>;
  turn: (name: string) => Promise<TurnAnswer>;
  /** Whether anybody else on the internet answers us now. */
  othersAnswer: () => Promise<boolean>;
  now: () => number;
};

const httpsPort = 443;
const icePort = 7881;
const httpsSubject = `${httpsPort}/tcp`;
const iceSubject = `${icePort}/tcp`;

/**
 * One check of a server, rung by rung. It reads the internet by `probes` alone; what it comes to is sentences and codes. What
 * fails while nobody else answers us either says nothing of the server.
 */
export async function climb(target: CheckTarget, probes: Probes): Promise<RungResult[]> {
  const results = await climbed(target, probes);
  const isInDoubt = results.some(({ rung, outcome }) => outcome === "failed" && rung !== "dns");
  if (!isInDoubt || (await probes.othersAnswer())) return results;
  return results.map((result) =>
    result.outcome === "failed" && result.rung !== "dns"
      ? { rung: result.rung, outcome: "unknown", sentence: unreachable, ms: result.ms }
      : result,
  );
}

const unreachable =
  "Nobody else answers us at this moment either, so this says nothing of the server.";

async function climbed(target: CheckTarget, probes: Probes): Promise<RungResult[]> {
  const { domain, turn } = target;
  const named = await nameRung("dns", domain, target, probes);
  if (!("address" in named)) {
    const isProxied = named.result.code === "dns.proxied";
    const https = isProxied ? [await httpsRung(domain, probes)] : [];
    return complete([named.result, ...https.map(({ result }) => result)]);
  }
  const { address } = named;
  const [tcp, https, ice] = await Promise.all([
    timed(probes, () => probes.port(address, httpsPort)),
    httpsRung(domain, probes),
    timed(probes, () => probes.port(address, icePort)),
  ]);
  if (tcp.answer !== "open" && https.isAnswered)
    return complete([named.result, https.result], "unknown");
  const tcpResult = portRung("tcp", httpsSubject, "port.closed", address, tcp);
  const iceResult = portRung("ice", iceSubject, "ice.closed", address, ice);
  if (tcp.answer !== "open") return complete([named.result, tcpResult, iceResult]);
  const [tls, turnResult] = await Promise.all([
    tlsRung(address, https.isLiveKit, target, probes),
    turnRung(turn, target, probes),
  ]);
  const above = tls.outcome === "failed" && !https.isAnswered ? [] : [https.result];
  return complete([named.result, tcpResult, tls, ...above, turnResult, iceResult]);
}

const ourFault =
  "HTTPS answers, so this connection failed through our own fault. It says nothing of the server.";

/** The rungs in their order; those that are missing stand on one that failed, or failed through our own fault. */
function complete(
  results: readonly RungResult[],
  outcome: "skipped" | "unknown" = "skipped",
): RungResult[] {
  const sentence = outcome === "unknown" ? ourFault : "It stands on a step that is not right.";
  return rungs.map(
    (rung) => results.find((result) => result.rung === rung) ?? { rung, outcome, sentence, ms: 0 },
  );
}

async function timed<Answer>(
  { now }: Probes,
  probe: () => Promise<Answer>,
): Promise<{ answer: Answer; ms: number }> {
  const begun = now();
  const answer = await probe();
  return { answer, ms: now() - begun };
}

type Named = { result: RungResult; address: string } | { result: RungResult };

/** Whether a name leads to the server. */
async function nameRung(
  rung: "dns" | "turn",
  name: string,
  { addresses }: CheckTarget,
  probes: Probes,
): Promise<Named> {
  const { answer: found, ms } = await timed(probes, () => probes.resolve(name));
  const [wantedAddress] = addresses;
  const wanted = wantedAddress && `${wantedAddress.includes(":") ? "AAAA" : "A"} ${wantedAddress}`;
  const failed = (code: "dns.missing" | "dns.wrong" | "dns.proxied", sentence: string): Named => ({
    result: {
      ...{ rung, outcome: "failed", code, subject: name, sentence, ms },
      ...(wanted ? { wanted } : {}),
    },
  });
  const not = (outcome: "skipped" | "unknown", sentence: string): Named => ({
    result: { rung, outcome, sentence, ms },
  });
  switch (found.target) {
    case "ours":
      return not("skipped", `${name} is a name of ours, which is not checked.`);
    case "unknown":
      return not("unknown", `The resolver did not say where ${name} leads.`);
    case "none":
      return failed("dns.missing", `${name} has no address in DNS.`);
    case "private":
      return failed(
        "dns.wrong",
        `${name} leads to an address that is not of the public internet: nobody outside reaches it.`,
      );
  }
  const address = addresses.find((each) => found.addresses.some((other) => isSame(each, other)));
  if (address !== undefined) {
    const sentence = `${name} leads to ${address}.`;
    return { result: { rung, outcome: "ok", sentence, ms }, address };
  }
  const shown = found.addresses.slice(0, 3).join(", ");
  return found.addresses.some(isProxyAddress)
    ? failed("dns.proxied", `${name} leads to ${shown}, which is Cloudflare's proxy.`)
    : failed(
        "dns.wrong",
        `${name} leads to ${shown}, and not to ${wantedAddress ?? "the server"}.`,
      );
}

/** An address of IPv6 has many forms. */
const isSame = (one: string, other: string): boolean => canonical(one) === canonical(other);

function canonical(address: string): string | undefined {
  return address.includes(":") ? URL.parse(`http://[${address}]`)?.hostname : address;
}

function portRung(
  rung: "tcp" | "ice",
  subject: string,
  code: "port.closed" | "ice.closed",
  address: string,
  { answer, ms }: { answer: PortAnswer; ms: number },
): RungResult {
  if (answer === "open") {
    const sentence =
      rung === "tcp"
        ? `${subject} opens.`
        : `${subject} opens. More is not to be seen of it from outside.`;
    return { rung, outcome: "ok", sentence, ms };
  }
  const sentence =
    answer === "refused"
      ? `${subject} of ${address} refuses connections: nothing listens there, or a firewall refuses them.`
      : `${subject} of ${address} did not answer within some seconds: a firewall drops what comes, or the machine is off.`;
  return { rung, outcome: "failed", code, subject, sentence, ms };
}

async function httpsRung(domain: string, probes: Probes) {
  const { answer, ms } = await timed(probes, () => probes.https(domain));
  const isLiveKit = answer === "livekit" || answer === "starting";
  const isAnswered = isLiveKit || answer === "other";
  const common = { rung: "https", ms } as const;
  const failed = {
    ...common,
    outcome: "failed",
    code: "livekit.silent",
    subject: "livekit",
  } as const;
  const url = `https://${domain}`;
  const results: Record<HttpsAnswer, RungResult> = {
    livekit: { ...common, outcome: "ok", sentence: `${url} answers: LiveKit runs.` },
    starting: { ...common, outcome: "ok", sentence: "LiveKit answers that it is not ready yet." },
    other: { ...failed, sentence: `Something other than LiveKit answers at ${url}.` },
    nothing: { ...failed, sentence: `Nothing answers at ${url}.` },
    certificate: {
      ...{ ...common, outcome: "failed", code: "cert.invalid", subject: domain },
      sentence: `The certificate of ${domain} is refused.`,
    },
  };
  return { isLiveKit, isAnswered, result: results[answer] };
}

async function tlsRung(
  address: string,
  isLiveKit: boolean,
  { domain, readsCertificate }: CheckTarget,
  probes: Probes,
): Promise<RungResult> {
  const { answer, ms } = await timed(probes, () => probes.tls(domain));
  const isOk = answer === "open";
  const ends = isOk && !readsCertificate ? undefined : await probes.certificateEnd(address, domain);
  const day = ends === undefined ? "" : new Date(ends).toISOString().slice(0, 10);
  const common = { rung: "tls", ms } as const;
  if (isOk) {
    const trusted = `The certificate of ${domain} is trusted`;
    const isEnding = ends !== undefined && ends - probes.now() < endingMs;
    return isEnding
      ? {
          ...{ ...common, outcome: "failed", code: "cert.ending", subject: domain },
          sentence: `${trusted}, and ends on ${day}.`,
        }
      : { ...common, outcome: "ok", sentence: day ? `${trusted} until ${day}.` : `${trusted}.` };
  }
  // Where LiveKit answers by HTTPS it was trusted a moment ago, so the fault is most likely with us.
  if (isLiveKit) return { ...common, outcome: "unknown", sentence: ourFault };
  const sentence =
    ends === undefined
      ? `No certificate is shown for ${domain}.`
      : ends <= probes.now()
        ? `The certificate of ${domain} ended on ${day}.`
        : `The certificate of ${domain} is not trusted, or is for another name. It ends on ${day}.`;
  const code = ends === undefined ? "cert.missing" : "cert.invalid";
  return { ...common, outcome: "failed", code, subject: domain, sentence };
}

/** As the machine's doctor has it. */
const endingMs = 3 * 86_400_000;

async function turnRung(
  name: string | null | undefined,
  target: CheckTarget,
  probes: Probes,
): Promise<RungResult> {
  const rung = "turn";
  if (name === null) return { rung, outcome: "skipped", sentence: "TURN over TLS is off.", ms: 0 };
  if (name === undefined) {
    return { rung, outcome: "skipped", sentence: "The name of its TURN is not known.", ms: 0 };
  }
  const named = await nameRung(rung, name, target, probes);
  if (!("address" in named)) return named.result;
  const { answer, ms } = await timed(probes, () => probes.turn(name));
  if (answer === "turn") {
    return { rung, outcome: "ok", sentence: `TURN answers over TLS at ${name}.`, ms };
  }
  const sentence = {
    other: `Something other than TURN answers at ${name}.`,
    refused: `No connection with TLS opens to ${name}: it has no trusted certificate, or nobody answers for that name.`,
    silent: `TURN did not answer at ${name} within some seconds.`,
  }[answer];
  return { rung, outcome: "failed", code: "turn.tls.silent", subject: name, sentence, ms };
}
