import { createHash } from "node:crypto";
import type { StoredIncident } from "~/features/servers/incidents/stored-incident.ts";
import type { Change } from "~/features/servers/state/server-record.ts";
import type { Member } from "~/features/servers/state/workspace-facts.server.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../auth/inbox.ts";
import { steerAlerts, steerServer } from "../site/control-fakes.ts";
import { pagerEvents, type WebhookBody, webhookAddress, webhookMessages } from "./arrived.ts";
import { openSocket } from "./live-socket.ts";
import { Machine } from "./machine.ts";
import { machine } from "./report-lines.ts";

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
/** 06:20 UTC of a day that no alarm of the real clock reaches: 40 minutes before the digest. */
const begin = Math.ceil(Date.now() / day) * day + day + 380 * minute;

const deployment = "44444444-4444-4444-8444-444444444444";
const domain = "rtc.example.com";
const warning = "finding\tdisk.filling\twarning\t/\t91 %\t";
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const criticals = ["a", "b", "c", "d", "e", "f"].map(
  (name) => `finding\tservice.down\tcritical\t${name}\tit does not run\t`,
);

/** The servers of the fleet, by what becomes of them in the first phase. */
const names = [
  ...(["healthy", "paging", "flapping", "snoozed", "acknowledged", "maintained"] as const),
  ...(["telling", "closed", "duplicate", "unchecked", "claimed"] as const),
  ...(["down", "suspended", "retired"] as const),
];
type Name = (typeof names)[number];

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
/** What the former version does not note or say. */
const laterFields = new Set([
  ...["milestones", "history", "changesBefore", "closedAs"],
  ...["formerAcknowledgement", "formerDownMs", "domain", "place", "addedBy", "bootedAt"],
]);
/** Plain values of what both versions say. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each) => (laterFields.has(key) ? undefined : each)));

/** What the site is answered of a fleet: what pages show, and the ticket of a page. */
export type Answers = { ticket: string; shown: unknown };

export const phases = ["first", "second", "third"] as const;
export type Phase = (typeof phases)[number];

/**
 * A fleet on a clock of its own, with servers in every state, channels of each kind, of which the webhooks refuse
 * messages at the end of each phase, and what the site was answered and people were sent meanwhile.
 */
export function observedFleet(worker: RunningWorker) {
  const workspace = crypto.randomUUID();
  const person = crypto.randomUUID();
  const address = `${person}@example.com`;
  const routingKey = `${crypto.randomUUID().replaceAll("-", "").slice(4)}d1a6`;
  const webhooks = { first: crypto.randomUUID(), second: crypto.randomUUID() };
  const facts = { name: "Northwind", slug: "northwind", servers: names.length };
  const viewer = { person, session: crypto.randomUUID() };
  const servers = {} as Record<Name, Machine>;
  const history: unknown[] = [];
  const messages: unknown[] = [];
  const wrong: Partial<Record<Name, readonly string[]>> = {};
  const quiet = new Set<Name>();
  /** The incidents that PagerDuty has open. */
  const triggered = new Set<string>();
  let seq = 1;
  let seen = { mails: 0, paged: 0 };

  const move = (ms: number) => worker.moveFleetClock(workspace, ms);
  const id = (name: Name): string => servers[name].server;

  /** What the site is answered now, as plain values: those of a binding cannot be read after the next deploy. */
  async function answers(): Promise<Answers> {
    const fleets = await worker.fleets();
    const { ticket = "", ...overview } = await fleets.overview(workspace, viewer);
    const tokens = overview.tokens?.map(({ deployment: of, count }) => ({ of, count }));
    const pages: unknown[] = [];
    for (const name of names) {
      const shown = await fleets.server(workspace, id(name), "48h");
      const { series, incidents, changes, ...page } = shown ?? {};
      // The figures that both versions have.
      const { participants, rooms, load, memory, disk, in: received, out } = series?.figures ?? {};
      const figures = { participants, rooms, load, memory, disk, received, out };
      const former = incidents?.map(
        ({ repeats: _, participants: __, ...incident }: StoredIncident) => incident,
      );
      pages.push({
        ...{ ...page, incidents: former, series: sha256(JSON.stringify(figures)) },
        // That a copy was refused is noted by today's version alone.
        changes: changes?.filter(({ code }: Change) => code !== "copy"),
      });
    }
    return { ticket, shown: plain({ ...overview, tokens, pages }) };
  }

  /** What people were sent since the last call. */
  async function sent() {
    const mails = (await mailsTo(address)).toReversed();
    const paged = await pagerEvents(routingKey);
    const from = seen;
    seen = { mails: mails.length, paged: paged.length };
    const subjects = mails.slice(from.mails).map(({ subject }) => subject);
    const actions = paged.slice(from.paged).flatMap(({ event_action, dedup_key }) => {
      // A repeat is a trigger too.
      const isRepeat = event_action === "trigger" && triggered.has(dedup_key);
      if (event_action === "trigger") triggered.add(dedup_key);
      if (event_action === "resolve") triggered.delete(dedup_key);
      return isRepeat || event_action === "acknowledge" ? [] : [`${event_action} ${dedup_key}`];
    });
    return {
      mails: subjects.filter((subject) => !subject.includes("is still not well")),
      paged: actions,
    };
  }

  /**
   * What each webhook has taken of each incident in the end. Which refused messages are sent as one, and when, depends
   * on what waits with them, and the former version repeats nothing.
   */
  async function posted(): Promise<unknown> {
    const known = { first: {}, second: {} } as Record<
      keyof typeof webhooks,
      Record<string, unknown>
    >;
    for (const { name, body, mode } of await webhookMessages()) {
      if (mode !== "well") continue;
      const { data } = JSON.parse(body) as WebhookBody;
      const channel = name === webhooks.first ? known.first : known.second;
      for (const { id: incident, closed_at } of data.incidents) channel[incident] = closed_at;
    }
    return known;
  }

  /** Every server that still reports does so, a second after the other, and `ms` pass in all. */
  async function round(ms: number): Promise<void> {
    seq += 1;
    const reporting = names.filter((name) => !quiet.has(name));
    for (const name of reporting) {
      const doctor = name === "unchecked" ? { doctor: 1_795_313_600 } : {};
      await servers[name].report(seq, wrong[name] ?? [], doctor);
      if (name === "duplicate" && seq > 3) {
        await servers.duplicate.report(seq, [], { boot: machine.otherBoot });
      }
      await move(second);
    }
    await move(ms - reporting.length * second);
  }

  async function rounds(minutes: number): Promise<void> {
    for (let left = minutes; left > 0; left -= 2) await round(2 * minute);
  }

  const incidentOf = async (name: Name): Promise<string> => {
    const page = await (await worker.fleets()).server(workspace, id(name));
    return page?.incident?.id ?? "none";
  };

  async function make(): Promise<void> {
    const fleets = await worker.fleets();
    const wanted = { workspace, deployment, hours: 240, facts };
    await fleets.makeToken({ ...wanted, uses: 1, hours: 1 });
    await worker.stopFleetClock(workspace);
    await move(begin - (await fleets.overview(workspace)).readAt);
    const maker = { person, address };
    const { token } = await fleets.makeToken({ ...wanted, domain, uses: names.length + 2, maker });
    for (const target of [
      { kind: "pagerduty", routingKey } as const,
      { kind: "webhook", url: webhookAddress(webhooks.first) } as const,
    ]) {
      await move(second);
      await fleets.addChannel(workspace, target, "first");
    }
    await move(second);
    const url = webhookAddress(webhooks.second);
    await fleets.addChannel(workspace, { kind: "webhook", url }, "second");
    for (const name of names) {
      await move(second);
      servers[name] = new Machine(worker, `i-${name}`, machine.boot, name);
      await servers[name].enrol(token);
      await servers[name].report(1);
    }
    await fleets.retire(workspace, id("retired"));
    quiet.add("retired").add("suspended");
    await round(minute);
  }

  /** What the site sends once an hour. The servers are answered in the order of their ids, which are random. */
  async function update(of: typeof facts, members?: readonly Member[]): Promise<void> {
    const saved = await (await worker.fleets()).update(workspace, of, [], members);
    history.push(plain(saved.toSorted((one, other) => one.name.localeCompare(other.name))));
  }

  /** The notification that a page with this ticket gets when a server reports. */
  async function notified(ticket: string): Promise<unknown> {
    const socket = await openSocket(worker.url, ticket);
    seq += 1;
    const { status } = await servers.healthy.report(seq, wrong.healthy ?? []);
    if (status !== 200) throw new Error(`The report was refused: ${status}`);
    const notification = JSON.parse(await socket.next());
    await socket.close();
    return notification;
  }

  const acts: Record<Phase, () => Promise<void>> = {
    async first() {
      await steerServer(domain, "nothing");
      await make();
      const fleets = await worker.fleets();
      const members = [{ person, address, connects: true }];
      const fewer = { ...facts, servers: names.length - 2 };
      await update(fewer, members);
      quiet.add("down");
      wrong.closed = [critical];
      wrong.telling = [warning];
      await round(minute);
      wrong.closed = [];
      for (const count of [1, 2, 3, 4, 5, 6]) {
        wrong.flapping = criticals.slice(0, count);
        await round(minute);
        if (count === 2) await steerAlerts({ webhooks: "failing" });
      }
      const other = new Machine(worker, "i-other", machine.otherBoot);
      other.key = servers.claimed.key;
      history.push(await other.report(1));
      for (const name of ["paging", "snoozed", "acknowledged", "maintained"] as const) {
        wrong[name] = [critical];
      }
      const now = (await fleets.overview(workspace)).readAt;
      await fleets.setMaintenance(workspace, id("maintained"), now + 40 * minute);
      await round(minute);
      await fleets.snooze(workspace, await incidentOf("snoozed"), now + 30 * minute);
      await fleets.acknowledge(workspace, await incidentOf("acknowledged"), person);
      await rounds(4);
    },
    /** The webhooks take messages again, the incident that pages ends, and the digest is made. */
    async second() {
      wrong.paging = [];
      await rounds(4);
      await steerAlerts({ webhooks: "well" });
      await rounds(20);
      await steerAlerts({ webhooks: "failing" });
      wrong.healthy = [critical];
      await rounds(6);
    },
    /** What is left of all that was wrong ends, and everybody may report again. */
    async third() {
      const fleets = await worker.fleets();
      await rounds(4);
      await steerAlerts({ webhooks: "well" });
      await update(facts);
      quiet.delete("down");
      quiet.delete("suspended");
      const { request } = (await fleets.server(workspace, id("claimed"))) ?? {};
      history.push(await fleets.answerRequest(workspace, id("claimed"), false, request?.at ?? 0));
      await rounds(20);
      for (const name of names) wrong[name] = [];
      await rounds(10);
    },
  };

  return {
    answers,
    /** `before`: what the site was answered before the deploy. */
    async run(phase: Phase, before?: Answers): Promise<void> {
      if (before) history.push(await notified(before.ticket));
      await acts[phase]();
      history.push({ phase, shown: (await answers()).shown });
      messages.push({ phase, ...(await sent()) });
    },
    /** What the site was answered, and what people were sent, with numbers in the place of ids. */
    async history(): Promise<{ answers: unknown; webhooks: unknown; messages: unknown }> {
      const ids = new Map<string, string>();
      const all = { answers: history, webhooks: await posted(), messages };
      const text = JSON.stringify(all).replaceAll(uuids, (each) => {
        const number = ids.get(each) ?? `id-${ids.size}`;
        ids.set(each, number);
        return number;
      });
      return JSON.parse(text);
    },
  };
}
