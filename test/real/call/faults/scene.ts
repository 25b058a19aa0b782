// One fault with the people under it, and how the console explains the call of the first of them.
import { expect } from "vitest";
import { explain } from "~/features/servers/explanation/explain.ts";
import { explainUnseen } from "~/features/servers/explanation/explain-unseen.ts";
import type { CallFigures, Explanation } from "~/features/servers/explanation/facts.ts";
import type { Cause } from "~/features/servers/incidents/incident.ts";
import {
  evidenceOfCall,
  peersOfCall,
} from "~/features/servers/room-sessions/call-evidence.server.ts";
import { evidencePage } from "~/features/servers/room-sessions/evidence-table.server.ts";
import {
  endByRestart,
  takeEvents,
  takeEvidenceBatch,
} from "~/features/servers/room-sessions/history.server.ts";
import { sessionList, sessionPage } from "~/features/servers/room-sessions/history-pages.server.ts";
import { tables } from "~/features/servers/room-sessions/history-tables.server.ts";
import type { EventKind } from "~/features/servers/room-sessions/session-event.ts";
import type { Restart } from "~/features/servers/state/server-record.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";
import { joinToken } from "../join-token.ts";
import type { Found } from "./doctor.ts";
import type { Network } from "./network.ts";
import type { JoinOptions, Kind, People, Person } from "./people.ts";
import type { Client } from "./places.ts";
import type { Server } from "./server.ts";

export type World = { network: Network; server: Server; people: People };

type Joining = JoinOptions & {
  /** How many packets are sent before the call ends, so that a share of them is not chance. */
  packets?: number;
  kind?: Kind;
  /** What is another than usual in the token. */
  token?: Partial<Parameters<typeof joinToken>[0]>;
};

export type Caller = { identity: string; outcome: string; person: Person };

export type Scene = Awaited<ReturnType<typeof openScene>>;

let scenes = 0;

/** Whatever the fault before has left, this one begins with a server and a network that are well. */
export async function openScene({ network, server, people }: World) {
  await network.heal();
  await server.heal();
  scenes += 1;
  const room = `meeting-${scenes}`;
  const begun = Date.now();
  const open: Person[] = [];
  const known: {
    findings?: readonly Pick<Cause, "code" | "subject" | "severity">[];
    figures?: CallFigures;
    restart?: Restart;
  } = {};

  const ofRoom = () => {
    const events = server.events();
    const hash = server.hash("room", room);
    return events.filter(({ roomName }) => roomName === hash);
  };

  async function join(place: Client, joining: Joining = {}): Promise<Caller> {
    const { kind = {}, token, packets: _, ...options } = joining;
    const identity = token?.identity ?? place;
    const person = await people.open(place, kind);
    open.push(person);
    const outcome = await person.join(joinToken({ room, ...token, identity }), options);
    return { identity, outcome, person };
  }

  /** Waits until the machine reports this of somebody. */
  async function reported(kind: EventKind, identity: string, state?: string): Promise<void> {
    const isIt = (event: ReturnType<typeof ofRoom>[number]) =>
      event.kind === kind &&
      event.identity === server.hash("identity", identity) &&
      (state === undefined || event.details.state === state);
    await expect.poll(() => ofRoom().some(isIt), { timeout: 60_000, interval: 250 }).toBe(true);
  }

  const scene = {
    ...{ room, network, server, people, join, reported },
    /** Joins again with the page that they have open. */
    rejoin: (person: Person, identity: string) => person.join(joinToken({ room, identity })),
    /** Somebody whose browser is their own. */
    async joinAlone(place: Client) {
      const person = await people.openAlone(place);
      open.push(person);
      return { person, outcome: await person.join(joinToken({ room, identity: place })) };
    },
    /** What checks from outside find now. */
    async check(): Promise<void> {
      const found = await server.check();
      known.findings = found.map((each) => ({ ...each, severity: "page" }));
    },
    /** What the machine's doctor finds now. */
    found(findings: readonly Found[]): void {
      const found = findings.map((each) => ({ ...each, severity: "page" as const }));
      known.findings = [...(known.findings ?? []), ...found];
    },
    figures(figures: CallFigures): void {
      known.figures = figures;
    },
    restarted(restart: Restart): void {
      known.restart = restart;
    },
    /** These join at once, the first of them as it is said, say how their calls are, and the first leaves. */
    async talk(
      places: readonly Client[] = ["desk", "home"],
      joining: Joining = {},
      others: Joining = {},
    ) {
      const callers = await Promise.all([
        ...places.map((place, at) => join(place, at === 0 ? joining : others)),
        scene.check(),
      ]);
      const said = callers.flatMap((caller) => caller ?? []);
      for (const { identity, outcome } of said) {
        await reported("call_evidence", identity, outcome === "joined" ? "connected" : "failed");
      }
      const [first] = said;
      if (first?.outcome === "joined") {
        const enough = { timeout: 90_000, interval: 500 };
        await expect
          .poll(first.person.sentPackets, enough)
          .toBeGreaterThanOrEqual(joining.packets ?? 0);
        await first.person.leave();
        await reported("participant_left", first.identity);
        await reported("call_evidence", first.identity, "ended");
      }
      return said;
    },
    /** Why the call of somebody was as it was, as the console says it. */
    explain(identity = "desk"): Explanation[] {
      const sql = sqliteStorage();
      sql.exec(tables);
      const [said, events] = partitioned(ofRoom(), ({ kind }) => kind === "call_evidence");
      const spool = "0".repeat(16);
      const batch = { spool, through: newest(events), lost: 0, unverified: 0, events };
      const restarts = known.restart ? [known.restart] : [];
      for (const later of takeEvents(sql, batch, Date.now(), restarts)) endByRestart(sql, later);
      takeEvidenceBatch(
        sql,
        { spool, through: newest(said), surplus: 0, events: said },
        Date.now(),
      );
      const { findings, figures = {} } = known;
      const since = begun;
      const incidents = findings && [{ causes: findings.map((each) => ({ ...each, since })) }];
      const server_ = { changes: [], figures, ...(incidents ? { incidents } : {}) };
      const hash = server.hash("identity", identity);
      const [call] = sessionList(sql, {})
        .sessions.flatMap(({ sid }) => sessionPage(sql, sid) ?? [])
        .flatMap(({ session, participants }) =>
          participants.map((participant) => ({ session, participant, participants })),
        )
        .filter(({ participant }) => participant.identity === hash)
        .toSorted((one, other) => one.participant.joinedAt - other.participant.joinedAt);
      const now = Date.now();
      if (call) {
        const { session, participant, participants } = call;
        const { sid, joinedAt, leftAt: until = now } = participant;
        const wanted = { sid, identity: hash, roomName: session.name, joinedAt, until };
        return explain({
          ...{ now, session, participant, ...server_ },
          others: participants.filter((each) => each.sid !== sid),
          evidence: evidenceOfCall(sql, wanted),
        });
      }
      const [seen] = evidencePage(sql, { name: hash }).calls;
      const evidence = seen ? { said: seen, ...peersOfCall(sql, seen, seen) } : {};
      return explainUnseen({ at: seen?.firstAt ?? now, evidence, ...server_ });
    },
    async [Symbol.asyncDispose]() {
      for (const person of open) await person.close().catch(() => undefined);
    },
  };
  return scene;
}

function partitioned<Item>(items: readonly Item[], isFirst: (item: Item) => boolean) {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))] as const;
}

const newest = (events: readonly { number: number }[]): number => events.at(-1)?.number ?? 0;
