import * as z from "zod/mini";
import { type AgentBatch, AgentReader } from "../agent-sessions/agent-session.ts";
import { layoutKinds } from "../layout/layout.ts";
import {
  type EventBatch,
  type EvidenceBatch,
  fullBytes,
  maxEvents,
  parseEvent,
  type SessionEvent,
} from "../room-sessions/session-event.ts";
import { isHostName, isRole, type Report } from "../state/server-record.ts";

// What a machine says each minute, as lines of fields separated by tabs: docs/decisions/0054 has the grammar.

const largest = Number.MAX_SAFE_INTEGER;
/** As much as the longest text of ours, the name of an image. What is longer is cut, so that the rest is still read. */
const text = z.pipe(
  z.string(),
  z.transform((value: string) => value.slice(0, 400)),
);
const whole = z.pipe(
  z.string().check(z.regex(/^\d{1,16}$/)),
  z.pipe(
    z.transform((value: string) => Number(value)),
    z.number().check(z.maximum(largest)),
  ),
);
const decimal = z.pipe(
  z.string().check(z.regex(/^\d{1,15}(\.\d{1,6})?$/)),
  z.transform((value: string) => Number(value)),
);
/** Seconds since 1970 on the wire, milliseconds here. A clock that was never set says 1970, which is read too. */
const moment = z.pipe(
  z.pipe(whole, z.number().check(z.maximum(99_999_999_999))),
  z.transform((seconds: number) => seconds * 1_000),
);
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const machineId = hash;
export const instanceId = z.string().check(z.regex(/^[A-Za-z0-9._:/-]{1,128}$/));
const bootId = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));

const spoolId = z.string().check(z.regex(/^[0-9a-f]{16}$/));

/** No option waits for longer. */
const maxDrainMinutes = 720;

/** Part of a command that people copy: what a shell reads as more than a word is not taken over. */
const place = z.pipe(
  text,
  z.transform((value: string) => value.replace(/[^\w./@:+ -]/g, "?")),
);

/** Each kind of line with its fields. A kind that is newer than this table is skipped. */
const lines = {
  seq: z.tuple([whole]),
  boot: z.tuple([bootId]),
  machine: z.tuple([machineId]),
  instance: z.tuple([instanceId]),
  at: z.tuple([moment]),
  version: z.tuple([hash]),
  domain: z.tuple([text]),
  role: z.tuple([text]),
  "made-from": z.tuple([
    z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
    whole,
    hash,
  ]),
  stage: z.tuple([z.string().check(z.regex(/^[a-z]{1,20}$/)), moment]),
  doctor: z.tuple([moment]),
  finding: z.tuple([
    z.string().check(z.regex(/^[a-z0-9]+(\.[a-z0-9]+)*$/), z.maxLength(60)),
    z.enum(["warning", "critical"]),
    text,
    text,
    text,
  ]),
  service: z.tuple([text, text, text, text]),
  release: z.tuple([text, text]),
  turn: z.tuple([z.enum(["yes", "no"])]),
  "turn-name": z.tuple([text]),
  certificate: z.tuple([text, moment]),
  address: z.tuple([z.enum(["4", "6"]), z.string().check(z.regex(/^[0-9a-f.:]{2,45}$/i))]),
  load: z.tuple([decimal]),
  cpus: z.tuple([whole]),
  cpu: z.tuple([whole, whole]),
  memory: z.tuple([whole, whole]),
  disk: z.tuple([whole, whole]),
  network: z.tuple([whole, whole]),
  node: z.tuple([text, moment]),
  metric: z.tuple([z.string().check(z.regex(/^[a-z-]{1,40}$/)), decimal]),
  backup: z.tuple([moment]),
  "reboot-pending": z.tuple([]),
  busy: z.tuple([]),
  approvals: z.tuple([whole]),
  "update-windows": z.tuple([]),
  approver: z.tuple([z.string().check(z.regex(/^[0-9a-f]{32}$/))]),
  going: z.tuple([z.enum(["reboot", "update", "stop"])]),
  drain: z.tuple([whole]),
  layout: z.tuple([z.catch(z.enum(layoutKinds), "none"), place, place, place, place, place, place]),
  fact: z.tuple([text, text]),
  agents: z.tuple([whole]),
  events: z.tuple([spoolId, whole, whole, whole]),
  evidence: z.tuple([spoolId, whole, whole]),
} as const;

type Kind = keyof typeof lines;
type Fields<K extends Kind> = z.infer<(typeof lines)[K]>;
type Read = { [K in Kind]: Fields<K>[] };

/** As many lines of one kind are read, and as many in all. A machine of ours has far fewer. */
const maxOfKind = 60;
const maxLines = 4_000;

/** What a report has beside the state of its server. */
export type Batches = { events?: EventBatch; evidence?: EvidenceBatch; agents?: AgentBatch };

/** Reads a report, of which surplus lines are skipped. Otherwise `line` is the number of the line that cannot be read, from 1; 0 where one is missing. */
export function parseReport(
  body: string,
): ({ ok: true; report: Report } & Batches) | { ok: false; line: number } {
  const [first, ...rest] = body.replace(/\n$/, "").split("\n", maxLines);
  if (first !== "livekit-deploy-report\t1") return { ok: false, line: 1 };
  const read = Object.fromEntries(Object.keys(lines).map((kind) => [kind, []])) as unknown as Read;
  const said = { event: [] as SessionEvent[], call: [] as SessionEvent[] };
  let [eventLines, eventBytes] = [0, 0];
  const reader = new AgentReader();
  for (const [at, line] of rest.entries()) {
    const unreadable = { ok: false, line: at + 2 } as const;
    if (!/^[\t\x20-\x7e]*$/.test(line)) return unreadable;
    const [kind = "", ...fields] = line.split("\t");
    if (kind === "event") {
      eventLines += 1;
      eventBytes += line.length + 1;
    }
    if ((kind === "event" || kind === "call") && said[kind].length < maxEvents) {
      const event = parseEvent(fields);
      if (event) said[kind].push(event);
    }
    reader.read(kind, fields);
    if (!isKind(kind)) continue;
    const values: unknown[] = read[kind];
    if (values.length >= maxOfKind) continue;
    const parsed = lines[kind].safeParse(fields);
    if (!parsed.success) return unreadable;
    values.push(parsed.data);
  }
  const report = reportOf(read);
  if (!report) return { ok: false, line: 0 };
  const [spool, through = 0, lost = 0, unverified = 0] = read.events[0] ?? [];
  const [evidence] = read.evidence;
  const [throughAgent] = read.agents[0] ?? [];
  return {
    ...{ ok: true, report },
    ...(spool === undefined
      ? {}
      : {
          events: {
            ...{ spool, through, lost, unverified, events: said.event },
            ...(eventLines >= maxEvents || eventBytes >= fullBytes
              ? { isFull: true as const }
              : {}),
          },
        }),
    ...(evidence === undefined
      ? {}
      : {
          evidence: {
            ...{ spool: evidence[0], through: evidence[1], surplus: evidence[2] },
            // The machine writes no other kind there.
            events: said.call.filter(({ kind }) => kind === "call_evidence"),
          },
        }),
    ...(throughAgent === undefined
      ? {}
      : { agents: { through: throughAgent, sessions: reader.sessions } }),
  };
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(lines, kind);
}

function reportOf(read: Read): Report | undefined {
  const [seq] = read.seq[0] ?? [];
  const [boot] = read.boot[0] ?? [];
  const [machine] = read.machine[0] ?? [];
  const [instance] = read.instance[0] ?? [];
  const [at] = read.at[0] ?? [];
  const [version] = read.version[0] ?? [];
  if (seq === undefined || !boot || !machine || !instance || at === undefined || !version) return;
  const [domain] = read.domain[0] ?? [];
  const [role] = read.role[0] ?? [];
  const [deployment, number, asMade] = read["made-from"][0] ?? [];
  const [doctorAt] = read.doctor[0] ?? [];
  const [load] = read.load[0] ?? [];
  const [cpus] = read.cpus[0] ?? [];
  const [cpu, memory, disk, network, node] = [
    read.cpu[0],
    read.memory[0],
    read.disk[0],
    read.network[0],
    read.node[0],
  ];
  const [backupAt] = read.backup[0] ?? [];
  const [going] = read.going[0] ?? [];
  const [turn] = read.turn[0] ?? [];
  const [turnName] = read["turn-name"][0] ?? [];
  const [drain] = read.drain[0] ?? [];
  const [layout] = read.layout;
  const [needed] = read.approvals[0] ?? [];
  return {
    ...{ seq, boot, machine, instance, at, version },
    stages: read.stage.map(([code, reachedAt]) => ({ code, at: reachedAt })),
    findings: read.finding.map(([code, severity, subject, found, wanted]) => ({
      ...{ code, severity, subject, found, wanted },
    })),
    services: read.service.map(([name, image, state, health]) => ({ name, image, state, health })),
    certificates: [
      ...read.certificate.map(([name, ends]) => ({ name, ends })),
      ...certificateOfProxy(read, domain),
    ],
    addresses: read.address.map(([family, address]) => ({
      family: family === "4" ? 4 : 6,
      address,
    })),
    metrics: Object.fromEntries(read.metric),
    rebootPending: read["reboot-pending"].length > 0,
    ...(read.release.length === 0
      ? {}
      : { releases: read.release.map(([name, version]) => ({ name, version })) }),
    ...(layout ? { layout: { ...layoutOf(layout), facts: Object.fromEntries(read.fact) } } : {}),
    ...(turn === undefined ? {} : { turn: turn === "yes" }),
    ...(turnName === undefined ? {} : { turnName: isHostName(turnName) ? turnName : null }),
    ...(isHostName(domain) ? { domain } : {}),
    ...(isRole(role) ? { role } : {}),
    ...(deployment === undefined || number === undefined
      ? {}
      : { madeFrom: { deployment, version: number, isChanged: asMade !== version } }),
    ...(doctorAt === undefined ? {} : { doctorAt }),
    ...(load === undefined ? {} : { load }),
    ...(cpus === undefined ? {} : { cpus }),
    ...(cpu ? { cpu: { busy: cpu[0], total: cpu[1] } } : {}),
    ...(memory ? { memory: { used: memory[0], total: memory[1] } } : {}),
    ...(disk ? { disk: { used: disk[0], total: disk[1] } } : {}),
    ...(network ? { network: { in: network[0], out: network[1] } } : {}),
    ...(node ? { node: { id: node[0], startedAt: node[1] } } : {}),
    ...(backupAt === undefined ? {} : { backupAt }),
    ...(needed === undefined
      ? {}
      : {
          approvals: {
            ...{ needed, known: read.approver.map(([fingerprint]) => fingerprint) },
            ...(read["update-windows"].length > 0 ? { knowsWindows: true as const } : {}),
          },
        }),
    ...(read.busy.length > 0 ? { isBusy: true } : {}),
    ...(going ? { going } : {}),
    ...(going && drain ? { drainMinutes: Math.min(drain, maxDrainMinutes) } : {}),
  };
}

/** That of the proxy before a LiveKit that was connected as it was. */
function certificateOfProxy(read: Read, name: string | undefined): Report["certificates"] {
  const [, seconds] = read.fact.find(([fact]) => fact === "certificate-ends") ?? [];
  const ends = moment.safeParse(seconds).data;
  return name && ends !== undefined ? [{ name, ends }] : [];
}

function layoutOf([kind, where, config, name, user, tool, proxy]: Fields<"layout">) {
  return { kind, where, config, name, user, tool, proxy };
}
