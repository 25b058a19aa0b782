// The servers Worker as the benchmark runs it: the shipped module, with what the benchmark needs beside it.
//
// POST /_bench/token?workspace=ID&uses=N makes a token. POST /_bench/ask?workspace=ID&method=M&times=N calls a method
// of a fleet so often with the arguments of the body, one call after the other, and answers what the last one said. POST /_bench/found, live,
// pages, stay and leave call the methods of `LivedFleet` with the body.

import counted, { countRows } from "./fleet-controls.js";
import { Fleet as ShippedFleet, History as ShippedHistory } from "./index.js";

export * from "./fleet-controls.js";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const begin = Date.UTC(2026, 0, 1);

/** A fleet whose time is a variable, and whose alarm is called by hand: days of it pass in seconds. */
export class LivedFleet extends ShippedFleet {
  #clock;
  #alarm;
  #servers = [];
  #rows;
  #seq = 0;
  #left = Promise.withResolvers();

  constructor(ctx, env) {
    const clock = { now: begin };
    const alarm = { due: null, runs: 0 };
    ctx.storage.setAlarm = async (due) => {
      alarm.due = Number(due);
    };
    ctx.storage.getAlarm = async () => alarm.due;
    const rows = countRows(ctx.storage);
    super(ctx, env, () => clock.now);
    this.#rows = rows;
    this.#clock = clock;
    this.#alarm = alarm;
  }

  /** Ends with `leave`: an object that nobody asks for ten seconds is removed from memory, and its days with it. */
  async stay() {
    await this.#left.promise;
  }

  leave() {
    this.#left.resolve();
  }

  /** Enrols the servers before the first day, and answers what the database holds then. */
  async found({ servers, machine }) {
    const token = {
      deployment: crypto.randomUUID(),
      uses: servers,
      ends: begin + dayMs,
    };
    await this.makeToken("token", token);
    const before = this.size();
    for (let at = 0; at < servers; at += 1) {
      const keyHash = `key-${at}`;
      const { server } = this.enrol("token", { ...machine, keyHash });
      this.#servers.push({ workspace: "", server, keyHash });
    }
    return before;
  }

  /** `report` is one that was read; its figures differ each minute, and every hour something changes. */
  async live({ days, report }) {
    const until = this.#clock.now + days * dayMs;
    while (this.#clock.now < until) {
      this.#clock.now += minuteMs;
      if (this.#alarm.due !== null && this.#alarm.due <= this.#clock.now) {
        this.#alarm.due = null;
        this.#alarm.runs += 1;
        await this.alarm();
      }
      this.#seq += 1;
      for (const key of this.#servers) {
        const said = this.#different(report);
        const { outcome } = await this.report(key, said);
        if (outcome !== "taken") throw new Error(`A report was ${outcome}`);
      }
    }
    const { rows, rowsRead, alarmsSet } = this.#rows();
    return { bytes: this.size(), alarms: this.#alarm.runs, rows: rows + alarmsSet, rowsRead };
  }

  /** Reads the page of the first server so often, as the site asks for it. */
  pages({ range, times }) {
    const [{ server }] = this.#servers;
    let page;
    for (let time = 0; time < times; time += 1) page = this.server(server, range);
    const { most } = page.series.figures.participants;
    return most.filter((value) => !Number.isNaN(value)).length / most.length;
  }

  size() {
    return this.ctx.storage.sql.databaseSize;
  }

  #different(report) {
    const upTo = (most) => Math.floor(Math.random() * most);
    const [first, ...services] = report.services;
    const state = this.#seq % 60 === 0 ? "restarting" : "running";
    return {
      ...report,
      seq: this.#seq,
      services: [{ ...first, state }, ...services],
      load: upTo(400) / 100,
      memory: { ...report.memory, used: upTo(report.memory.total) },
      disk: { ...report.disk, used: upTo(report.disk.total) },
      network: { in: this.#seq * 1e8 + upTo(1e8), out: this.#seq * 1e9 + upTo(1e9) },
      metrics: { ...report.metrics, participants: upTo(300), rooms: upTo(40) },
    };
  }
}

/**
 * A history that a month of reports fills, three participants to a session, each with two tracks. Beside them what apps said
 * of the calls of each participant, and an agent of twenty turns in each tenth session.
 */
export class LivedHistory extends ShippedHistory {
  #number = 0;

  constructor(ctx, env) {
    ctx.storage.setAlarm = async () => {};
    super(ctx, env, () => begin);
  }

  async fill({ from, count, of, days }) {
    let events = [];
    // An object that was started anew goes on where it was.
    this.#number ||= this.#through();
    const take = async (isLast) => {
      if (events.length < 1_000 && !isLast) return;
      const batch = {
        spool: "0".repeat(16),
        through: this.#number,
        lost: 0,
        unverified: 0,
        events,
      };
      events = [];
      await this.take({ events: batch });
    };
    for (let at = from; at < from + count; at += 3) {
      const began = begin + Math.floor((at / of) * days * dayMs);
      const room = `RM_${id()}`;
      const roomName = hash(at % 5_000);
      const add = (kind, after, more = {}) => {
        this.#number += 1;
        const event = { number: this.#number, at: began + after, kind, room, roomName };
        events.push({ ...event, participant: "", identity: "", details: {}, ...more });
      };
      add("room_started", 0);
      const people = Array.from({ length: Math.min(3, from + count - at) }, (_, who) => ({
        participant: `PA_${id()}`,
        identity: hash((at + who) % 100_000),
      }));
      for (const who of people) {
        add("participant_joined", 1_000, { ...who, details: { joined: `${began + 1_000}` } });
        for (const [source, mime, size] of [
          ["CAMERA", "video/VP8", "1280x720"],
          ["MICROPHONE", "audio/opus", ""],
        ]) {
          const details = { track: `TR_${id()}`, source, mime, size };
          add("track_published", 2_000, { ...who, details });
        }
      }
      for (const who of people) {
        add("participant_left", 600_000, { ...who, details: { reason: "CLIENT_INITIATED" } });
      }
      add("room_finished", 620_000);
      await take(false);
    }
    await take(true);
  }

  async fillCalls({ from, count, of, days }) {
    for (let first = from; first < from + count; first += 500) {
      const events = Array.from({ length: Math.min(500, from + count - first) }, (_, at) => {
        const who = first + at;
        const details = {
          state: "connected",
          path: "udp",
          loss: `${who % 30}`,
          trip: `${who % 300}`,
        };
        const app = { jitter: "4", browser: "chrome/141", client: "js/2_16_1" };
        const call = {
          ...{ at: begin + Math.floor((who / of) * days * dayMs), kind: "call_evidence" },
          ...{ room: `RM_${id()}`, roomName: hash(who % 5_000), participant: `PA_${id()}` },
          identity: hash(who % 100_000),
          details: { ...details, ...app, network: hash(who % 30_000) },
        };
        const ended = { ...call, at: call.at + 600_000 };
        return [call, { ...ended, details: { ...call.details, state: "ended" } }];
      }).flat();
      const through = (first + events.length / 2) * 2;
      const numbered = events.map((event, at) => ({ ...event, number: first * 2 + at + 1 }));
      await this.take({
        evidence: { spool: "1".repeat(16), through, surplus: 0, events: numbered },
      });
    }
  }

  async fillAgents({ from, count, of, days }) {
    for (let first = from; first < from + count; first += 100) {
      const sessions = Array.from({ length: Math.min(100, from + count - first) }, (_, at) => {
        const startedAt = begin + Math.floor(((first + at) / of) * days * dayMs);
        const entries = Array.from({ length: 40 }, (_, turn) => ({
          at: startedAt + turn * 15_000,
          ...(turn % 2 === 0
            ? { by: "user", stt: 210 }
            : { by: "agent", reply: 850, llm: 420, tts: 180, speech: 4_000 }),
        }));
        const usage = [{ model: "m-1", counts: { input_tokens: 12_400, output_tokens: 2_800 } }];
        return {
          ...{ job: `AJ_${id()}`, room: `RM_${id()}`, agent: "desk", sdk: "1.8.9", startedAt },
          ...{ endedAt: startedAt + 600_000, reason: "CR_PARTICIPANT_DISCONNECTED", errors: {} },
          ...{ usage, entries, omitted: 0, hasAudio: true, isIncomplete: false },
        };
      });
      await this.take({ agents: { through: first + sessions.length, sessions } });
    }
  }

  #through() {
    const { sql } = this.ctx.storage;
    if (sql.exec("select 1 from sqlite_master where name = 'settings'").toArray().length === 0) {
      return 0;
    }
    const [row] = sql.exec("select value from settings where name = 'progress'").toArray();
    return row ? JSON.parse(row.value).through : 0;
  }

  size() {
    const { sql } = this.ctx.storage;
    const countOf = (table) =>
      sql.exec(`select count(*) as count from ${table}`).toArray()[0].count;
    return {
      ...{ people: countOf("participants"), calls: countOf("evidence") },
      ...{ agents: countOf("agent_sessions"), bytes: sql.databaseSize },
    };
  }
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const id = () =>
  Array.from({ length: 12 }, () => letters[Math.floor(Math.random() * letters.length)]).join("");
const hash = (number) => ((number + 1) * 2_654_435_761).toString(16).padStart(12, "0").slice(-12);

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    const [workspace, times] = ["workspace", "times"].map((name) => searchParams.get(name));
    if (pathname === "/_bench/token") {
      const uses = Number(searchParams.get("uses"));
      const wanted = { workspace, deployment: crypto.randomUUID(), uses, hours: 72 };
      const { token } = await env.FLEETS_OF_SITE.makeToken(wanted);
      return new Response(token);
    }
    if (pathname === "/_bench/ask") {
      const given = (await request.text()) || "[]";
      let answered;
      for (let time = 0; time < Number(times); time += 1) {
        answered = await env.FLEETS_OF_SITE[searchParams.get("method")](
          workspace,
          ...JSON.parse(given),
        );
      }
      return Response.json(answered);
    }
    if (pathname === "/_bench/history") {
      const history = env.LIVED_HISTORY.getByName("lived");
      const given = await request.json();
      const answered = await history[searchParams.get("method")](given ?? undefined);
      return Response.json(answered ?? null);
    }
    const lived = ["found", "live", "pages", "stay", "leave"].find(
      (name) => pathname === `/_bench/${name}`,
    );
    if (lived) {
      const answered = await env.LIVED.getByName("lived")[lived](await request.json());
      return Response.json(answered ?? null);
    }
    return counted.fetch(request, env, ctx);
  },
};
