import {
  type Severity as FindingSeverity,
  findingOf,
} from "~/features/deployments/bundle/findings";
import { connectedWords } from "../state/connected-findings";
import type { Cause, ClusterMachine } from "./incident";

/** `next`: what to do, with commands and records between backticks. */
type Words = { title: string; next: string };

const setHere = "your threshold is {wanted}: it is set on this server's page, below its figures";

/**
 * What is wrong with a server that no doctor on it can find. `nextAt`: the same for a machine that was connected as it was,
 * whose command `{wanted}` is.
 */
const consoleWords: Readonly<Record<string, Words & { nextAt?: string }>> = {
  down: {
    title: "The server is down",
    next: "look at your provider whether the machine runs and has a network; then: `sudo livekit-deploy doctor`",
    nextAt:
      "look at your provider whether the machine runs and has a network; then on the machine: `{wanted}`",
  },
  "version.exposed": {
    title: "A version that can be attacked from the internet runs",
    next: "`sudo livekit-deploy update --to {wanted}`",
  },
  "doctor.silent": {
    title: "Its doctor does not look",
    next: "on the machine: `sudo livekit-deploy doctor`, and `sudo journalctl -u livekit-health`",
  },
  silent: {
    title: "The server does not report",
    next: "on the machine: `sudo livekit-deploy doctor`, and `sudo journalctl -u livekit-report`",
    nextAt: "`{wanted}` says how the connection is",
  },
  "threshold.participants": {
    title: "As many people are in calls as your threshold says",
    next: `look at load and traffic whether the machine carries more; ${setHere}`,
  },
  "threshold.load": {
    title: "The load has reached your threshold",
    next: `\`sudo docker stats --no-stream\` shows which service works; ${setHere}`,
  },
  "threshold.memory": {
    title: "Memory has reached your threshold",
    next: `\`sudo docker stats --no-stream\` shows which service holds it; ${setHere}`,
  },
  "threshold.disk": {
    title: "The disk has reached your threshold",
    next: `\`sudo docker image prune\` removes images that nothing uses; recordings in /opt/livekit/out are yours to move; ${setHere}`,
  },
  "threshold.traffic": {
    title: "The traffic of the month has reached your threshold",
    next: `compare it with what your provider includes; ${setHere}`,
  },
  "redis.lost": {
    title: "Redis is lost, and nobody can join",
    next: "look where it runs whether it answers; on a machine: `sudo livekit-deploy doctor`. Calls that run go on, and the machines come back by themselves",
  },
  // A disconnect on the copy would end the key of both: where the console sees two boots they have one identity.
  twice: {
    title: "Two machines use one key",
    next: "on the copy: `sudo livekit-deploy connect`, with a new token of its own; do not disconnect it, because that ends the key of both",
    nextAt:
      "on the copy delete the folder /opt/livekit-connect, then connect it anew; do not run remove there, because that ends the key of both",
  },
};

/** What is wrong with a machine of a cluster, where that means something else than of a server by itself. */
const clusterWords: Readonly<Record<string, Words>> = {
  "down media": {
    title: "The machine is down",
    next: "the other media machines take its calls, whose people are back within seconds; look at your provider whether the machine runs; to do without it, on your computer: `sh cluster.sh leave NODE --gone`",
  },
  // It pages where the others do not carry its calls, or did not when it began.
  "down media page": {
    title: "The machine is down",
    next: "its people come back by themselves on the other media machines, as far as these carry them; look at your provider whether the machine runs, or make another one and let it join, on your computer: `sh cluster.sh join NODE`; to do without this one: `sh cluster.sh leave NODE --gone`",
  },
  "down egress": {
    title: "The machine is down",
    next: "recordings that ran there ended; where another Egress machine reports, it takes new ones; look at your provider whether the machine runs; to do without it, on your computer: `sh cluster.sh leave NODE --gone`",
  },
  // It wakes somebody where no other one is left.
  "down egress page": {
    title: "The machine is down, and nothing is recorded",
    next: "recordings that ran there ended, and none begins until an Egress machine is back; look at your provider whether the machine runs and has a network; then: `sudo livekit-deploy doctor`",
  },
  "down edge": {
    title: "The edge is down, and nobody can join",
    next: "look at your provider whether the machine runs and has a network; then: `sudo livekit-deploy doctor`. Calls that run go on where their media reaches the media machines directly",
  },
  "redis.lost edge": {
    title: "Redis is lost, and nobody can join",
    next: "on the edge: `sudo livekit-deploy doctor`, and `sudo livekit-deploy logs redis`; calls that run go on, and the media machines come back by themselves",
  },
  "silent edge": {
    title: "The edge does not report",
    next: "people still join through it. On the machine: `sudo livekit-deploy doctor`, and `sudo journalctl -u livekit-report`",
  },
};

/** The title of a cause and what to do about it. A code that is newer than these tables is its title. */
export function causeWords({ code, subject, wanted, machine, severity }: CauseInWords): Words {
  const ofConsole = consoleWords[code];
  const words: Words | undefined =
    (machine &&
      (clusterWords[`${code} ${machine.role} ${severity}`] ??
        clusterWords[`${code} ${machine.role}`])) ??
    findingOf(code) ??
    connectedWords(code) ??
    ofConsole;
  const next =
    (wanted && ofConsole?.nextAt) || words?.next || "`sudo livekit-deploy doctor` says more";
  return {
    title: [machine?.name, words ? words.title : code, words && subject].filter(Boolean).join(": "),
    next: next
      .replaceAll("{subject}", () => subject)
      .replaceAll(/( ?)\{wanted\}/g, (_, space) => (wanted ? `${space}${wanted}` : "")),
  };
}

/** `machine`: without a name where it is said of a machine's own page. `severity`: a cause's, or that of a finding. */
type CauseInWords = Pick<Cause, "code" | "subject" | "wanted"> & {
  severity?: Cause["severity"] | FindingSeverity;
  machine?: Pick<ClusterMachine, "role"> & Partial<ClusterMachine>;
};

/** Of codes that begin so, the part of /docs/troubleshooting that is about them; the first that fits. */
const help: readonly [codes: string, heading: string][] = [
  ["boot.", "the-first-boot-does-not-end"],
  ["cert.", "no-certificate-or-an-invalid-one"],
  ["disk.", "the-disk-is-full"],
  ["dns.", "no-certificate-or-an-invalid-one"],
  ["down", "the-server-does-not-answer-at-all"],
  ["firewall.", "connects-but-no-picture-or-sound"],
  ["livekit.silent", "the-server-does-not-answer-at-all"],
  ["port.taken", "port-443-is-in-use"],
  ["port.silent", "the-server-does-not-answer-at-all"],
  ["service.down", "unhealthy-after-an-update"],
  ["turn.hairpin", "turn-is-there-but-relayed-calls-have-no-media"],
  ["turn.", "works-at-home-not-in-the-office"],
  ["update.", "unhealthy-after-an-update"],
];

/** Where the documentation is about a cause; undefined where it is not. */
export function helpPath(code: string): string | undefined {
  const [, heading] =
    help.find(([codes]) => code.replace(/^connected\./, "").startsWith(codes)) ?? [];
  return heading && `/docs/troubleshooting#${heading}`;
}

/** The one sentence about servers of these names with which this is wrong: of every page and every message. */
export function causeSentence(
  cause: Parameters<typeof causeWords>[0],
  names: string,
  areSeveral = false,
): string {
  // Of a cluster it says which machine it is of.
  if (cause.machine) return `${names}: ${causeWords(cause).title}`;
  switch (cause.code) {
    case "down":
      return `${names} ${areSeveral ? "are" : "is"} down`;
    case "silent":
      return `${names} ${areSeveral ? "do" : "does"} not report`;
    case "twice":
      return `Two machines use the key of ${names}`;
    default:
      return `${names}: ${causeWords(cause).title}`;
  }
}

/** The same for messages, which show no marks: a backtick copied into a shell runs something else. */
export function plainCauseWords(cause: Parameters<typeof causeWords>[0]): Words {
  const { title, next } = causeWords(cause);
  return { title, next: next.replaceAll("`", "") };
}
