// The entry of the servers Worker where tests and `npm start` run it: the shipped module beside it, whose fleets have a
// clock that can be moved, count what costs money, and can be given a past. It is no part of a build, so nothing of it is
// ever deployed. POST /_local/NAME?workspace=ID does what the control of that name at the end of this file says.
import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import * as shipped from "./index.js";

export * from "./index.js";

const { default: servers, Fleet: ShippedFleet, History: ShippedHistory } = shipped;

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
  /** A cursor may still be read by the code that has it, so its counts are read as late as possible. */
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

/** Ten years. */
const farMs = 10 * 365 * 86_400_000;

/**
 * Puts the alarms of a clock that stands still far off: none rings by the real clock, however long a test takes between
 * two moves. What reads an alarm reads when it is due by the fleet's clock. Answers how to put one off that was set before.
 */
function ringByMoves(storage, clock) {
  const [setAlarm, getAlarm] = [storage.setAlarm.bind(storage), storage.getAlarm.bind(storage)];
  const set = (when, ...more) =>
    setAlarm(clock.stopped === undefined ? when : Number(when) + farMs, ...more);
  storage.setAlarm = set;
  storage.getAlarm = async (...given) => {
    const at = await getAlarm(...given);
    return at !== null && at > Date.now() + farMs / 2 ? at - farMs : at;
  };
  return async () => {
    const due = await storage.getAlarm();
    if (due !== null) await set(due);
  };
}

/** Whether the clock of a fleet that is made now stands still from its first moment on. */
let newFleetsStand = false;

export class Fleet extends ShippedFleet {
  #storage;
  #putOff;
  #clock;
  #rows;
  #lastAlarm = Promise.resolve();
  calls = {};

  constructor(ctx, env) {
    if (newFleetsStand && ctx.storage.kv.get("clock-stopped") === undefined)
      ctx.storage.kv.put("clock-stopped", Date.now());
    const clock = {
      ahead: ctx.storage.kv.get("clock-ahead") ?? 0,
      stopped: ctx.storage.kv.get("clock-stopped"),
      now: () => clock.stopped ?? Date.now() + clock.ahead,
      // Outside of an alarm nothing is counted, and nothing throws.
      ...{ faults: 0, readings: Number.NEGATIVE_INFINITY },
    };
    const putOff = ringByMoves(ctx.storage, clock);
    const rows = countRows(ctx.storage);
    super(ctx, env, () => {
      clock.readings += 1;
      if (clock.faults > 0 && clock.readings > 1) throw new Error("A fault that a test asked for");
      return clock.now();
    });
    this.#storage = ctx.storage;
    this.#clock = clock;
    this.#rows = rows;
    this.#putOff = putOff;
  }

  async failAlarms(count, isLost) {
    this.#clock.faults = count;
    if (isLost) await this.#storage.deleteAlarm();
  }

  spoilRecord(table, id, record) {
    this.#storage.sql.exec(`update ${table} set record = ? where id = ?`, record, id);
  }

  /** Cloudflare runs one alarm of an object at a time. So the one that is due waits for one that a move runs, and vice versa. */
  alarm() {
    const run = this.#lastAlarm.then(() => this.#runAlarm());
    this.#lastAlarm = run.catch(() => {});
    return run;
  }

  async #runAlarm() {
    this.#clock.readings = 0;
    await super.alarm();
    this.#clock.faults = Math.max(0, this.#clock.faults - 1);
    this.#clock.readings = Number.NEGATIVE_INFINITY;
  }

  async moveClock(ms, stops) {
    const clock = this.#clock;
    if (stops && clock.stopped === undefined) {
      clock.stopped = clock.now();
      await this.#lastAlarm;
      await this.#putOff();
    }
    const moved = clock.stopped === undefined ? "ahead" : "stopped";
    const until = clock[moved] + ms;
    const untilNow = () => (moved === "stopped" ? until : Date.now() + until);
    for (let runs = 0; runs < 100_000; runs += 1) {
      await this.#lastAlarm;
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

export class History extends ShippedHistory {
  #storage;
  #rows;

  constructor(ctx, env) {
    const rows = countRows(ctx.storage);
    super(ctx, env);
    this.#storage = ctx.storage;
    this.#rows = rows;
  }

  counts() {
    return { ...this.#rows(), bytes: this.#storage.sql.databaseSize };
  }
}

const isOurs = (prototype) =>
  prototype instanceof DurableObject || prototype instanceof WorkerEntrypoint;

/** The names of the methods of a class and of those of ours that it extends. */
function methodsOf({ prototype }) {
  if (!isOurs(prototype)) return [];
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  return [...names, ...methodsOf(Object.getPrototypeOf(prototype).constructor)];
}

/**
 * Makes the methods of a class fail whose answer has a disposer, as that of an object has that is handed on: whoever
 * called would have to dispose of it, and the runtime warns of those that did not only when it collects garbage.
 */
function refuseDisposers(shippedClass, called) {
  for (const name of new Set(methodsOf(shippedClass))) {
    const method = shippedClass.prototype[name];
    const checked = (answer) => {
      if (typeof answer?.[Symbol.dispose] !== "function") return answer;
      throw new Error(`What ${called}.${name} answers has a disposer`);
    };
    shippedClass.prototype[name] = function (...given) {
      const answer = method.apply(this, given);
      return typeof answer?.then === "function" ? answer.then(checked) : checked(answer);
    };
  }
}

for (const [name, each] of Object.entries(shipped)) {
  if (isOurs(each.prototype)) refuseDisposers(each, name);
}

for (const name of new Set(methodsOf(ShippedFleet))) {
  const method = Fleet.prototype[name];
  Fleet.prototype[name] = function (...given) {
    this.calls[name] = (this.calls[name] ?? 0) + 1;
    return method.apply(this, given);
  };
}

/** What can be done to a workspace's fleet. Each has the fleet, the parameters of its address and the request. */
const controls = {
  /** With `stopped` the clocks of fleets that are made from now on stand still until they are moved; without it they go. */
  stand: async (_, query) => {
    newFleetsStand = query.has("stopped");
  },
  /**
   * Moves the fleet's clock `ms` forward and does what is due by then; with 0 it does what is due now. With `stopped` the
   * clock stands still from then on until it is moved.
   */
  clock: (fleet, query) => fleet.moveClock(Number(query.get("ms")), query.has("stopped")),
  /**
   * Makes everything throw that the next `alarms` alarms do after they have set the next one. With `lost` the alarm that is
   * set is taken away.
   */
  faults: (fleet, query) => fleet.failAlarms(Number(query.get("alarms")), query.has("lost")),
  /** Writes the body over the record `id` of `table`. */
  record: async (fleet, query, request) =>
    fleet.spoilRecord(query.get("table"), query.get("id"), await request.text()),
  /** Sets for how many `servers` the fleet's plan has room. */
  update: (fleet, query) =>
    fleet.update({ slug: "moved", name: "Moved", servers: Number(query.get("servers")) }, []),
  /**
   * Runs the statements of the body on what the fleet keeps, each `[sql, ...parameters]` in an array; a parameter
   * `{ base64 }` is bytes. `npm run seed` makes a past with it.
   */
  past: async (fleet, _, request) => fleet.keepPast(await request.json()),
  /**
   * Answers how often each method of the fleet was called, its alarm among them, how many rows were written and read, and
   * how often an alarm was set, since its object was started; and the size of its database.
   */
  counts: async (fleet) => Response.json(await fleet.counts()),
};

/**
 * The calls of one server are counted by the minute of the real clock, in which hours of a fleet pass whose clock is moved.
 * So here they are not counted; test/unit/servers/call-limits.test.ts has that limit.
 */
const unlimited = { limit: async () => ({ success: true }) };

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    const [, name] = /^\/_local\/(\w+)$/.exec(pathname) ?? [];
    if (!Object.hasOwn(controls, name)) {
      return servers.fetch(request, { ...env, CREDENTIAL_LIMIT: unlimited }, ctx);
    }
    const fleet = env.FLEETS.getByName(searchParams.get("workspace"));
    const answer = await controls[name](fleet, searchParams, request);
    return answer instanceof Response ? answer : new Response("done");
  },
};
