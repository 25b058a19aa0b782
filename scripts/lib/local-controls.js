// The entry of the servers Worker where tests and `npm start` run it: the shipped module beside it, whose fleets have a
// clock that can be moved, count what costs money, and can be given a past. It is no part of a build, so nothing of it is
// ever deployed.
//
// POST /_local/past?workspace=ID runs statements on what a fleet keeps, each `[sql, ...parameters]` in an array; a
// parameter `{ base64 }` is bytes. `npm run seed` makes a past with it.
//
// POST /_local/clock?workspace=ID&ms=N moves the clock of a fleet forward and does what is due by then; with ms=0 it does
// what is due now, and with &stopped=1 it stands still from then on until it is moved. POST
// /_local/faults?workspace=ID&alarms=N makes everything throw that so many alarms do after they have set the next one, and
// &lost=1 takes away the alarm that is set. POST /_local/record?workspace=ID&table=NAME&id=ID writes its body over a
// record. POST /_local/counts?workspace=ID says how often each method of a fleet was called, its alarm among them, how
// many rows were written and read, and how often an alarm was set, since its object was started.
// POST /_local/update?workspace=ID&servers=N tells a fleet that its plan has room for so many servers.
import servers, { Fleet as ShippedFleet } from "./index.js";

export * from "./index.js";

/** Counts the rows that SQL writes and reads, and the alarms that are set, each of which is paid as a row. */
export function countRows(storage) {
  const counted = { rows: 0, rowsRead: 0, alarmsSet: 0 };
  let cursors = [];
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  sql.exec = (...statement) => {
    const cursor = exec(...statement);
    cursors.push(cursor);
    if (cursors.length > 1_000) settle();
    return cursor;
  };
  const setAlarm = storage.setAlarm.bind(storage);
  storage.setAlarm = (...when) => {
    counted.alarmsSet += 1;
    return setAlarm(...when);
  };
  /** A cursor may still be read by whoever has it, so it is asked as late as possible. */
  function settle() {
    for (const { rowsWritten, rowsRead } of cursors) {
      counted.rows += rowsWritten;
      counted.rowsRead += rowsRead;
    }
    cursors = [];
    return counted;
  }
  return settle;
}

export class Fleet extends ShippedFleet {
  #storage;
  #clock;
  #rows;
  calls = {};

  constructor(ctx, env) {
    const clock = {
      ahead: ctx.storage.kv.get("clock-ahead") ?? 0,
      stopped: ctx.storage.kv.get("clock-stopped"),
      now: () => clock.stopped ?? Date.now() + clock.ahead,
      ...{ faults: 0, readings: 0 },
    };
    const rows = countRows(ctx.storage);
    super(ctx, env, () => {
      clock.readings += 1;
      if (clock.faults > 0 && clock.readings > 1) throw new Error("A fault that a test asked for");
      return clock.now();
    });
    this.#storage = ctx.storage;
    this.#clock = clock;
    this.#rows = rows;
  }

  async failAlarms(count, isLost) {
    this.#clock.faults = count;
    this.#clock.readings = 0;
    if (isLost) await this.#storage.deleteAlarm();
  }

  spoilRecord(table, id, record) {
    this.#storage.sql.exec(`update ${table} set record = ? where id = ?`, record, id);
  }

  async alarm() {
    this.#clock.readings = 0;
    await super.alarm();
    this.#clock.faults = Math.max(0, this.#clock.faults - 1);
    this.#clock.readings = 0;
  }

  async moveClock(ms, stops) {
    const clock = this.#clock;
    if (stops) clock.stopped ??= clock.now();
    const moved = clock.stopped === undefined ? "ahead" : "stopped";
    const until = clock[moved] + ms;
    const untilNow = () => (moved === "stopped" ? until : Date.now() + until);
    for (let runs = 0; runs < 100_000; runs += 1) {
      const due = await this.#storage.getAlarm();
      if (due === null || due > untilNow()) break;
      clock[moved] += Math.max(0, due - clock.now());
      await this.#storage.deleteAlarm();
      await this.alarm();
    }
    clock[moved] = until;
    this.#storage.kv.put(`clock-${moved}`, until);
  }

  keepPast(statements) {
    const bytes = ({ base64 }) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bound = (given) => (typeof given === "object" ? bytes(given) : given);
    for (const [sql, ...parameters] of statements) {
      this.#storage.sql.exec(sql, ...parameters.map(bound));
    }
  }

  counts() {
    return { calls: { ...this.calls }, ...this.#rows(), bytes: this.#storage.sql.databaseSize };
  }
}

for (const name of Object.getOwnPropertyNames(ShippedFleet.prototype)) {
  const method = Fleet.prototype[name];
  if (name === "constructor") continue;
  Fleet.prototype[name] = function (...given) {
    this.calls[name] = (this.calls[name] ?? 0) + 1;
    return method.apply(this, given);
  };
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    const local = ["clock", "faults", "record", "update", "past", "counts"].map(
      (name) => `/_local/${name}`,
    );
    if (!local.includes(pathname)) return servers.fetch(request, env, ctx);
    const fleet = env.FLEETS.getByName(searchParams.get("workspace"));
    if (pathname === "/_local/counts") return Response.json(await fleet.counts());
    if (pathname === "/_local/record") {
      const [table, id] = [searchParams.get("table"), searchParams.get("id")];
      await fleet.spoilRecord(table, id, await request.text());
    } else if (pathname === "/_local/update") {
      const facts = { slug: "moved", name: "Moved", servers: Number(searchParams.get("servers")) };
      await fleet.update(facts, []);
    } else if (pathname === "/_local/past") {
      await fleet.keepPast(await request.json());
    } else if (pathname === "/_local/clock") {
      await fleet.moveClock(Number(searchParams.get("ms")), searchParams.has("stopped"));
    } else await fleet.failAlarms(Number(searchParams.get("alarms")), searchParams.has("lost"));
    return new Response("done");
  },
};
