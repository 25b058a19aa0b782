// The entry of the servers Worker where tests run it: the shipped module beside it, whose fleets have a clock that can be
// moved. POST /_local/clock?workspace=ID&ms=N moves the clock of a fleet forward and does what is due by then; with
// ms=0 it does what is due now. POST /_local/faults?workspace=ID&alarms=N makes everything throw that so many alarms do
// after they have set the next one.
import servers, { Fleet as ShippedFleet } from "./index.js";

export * from "./index.js";

export class Fleet extends ShippedFleet {
  #storage;
  #clock;

  constructor(ctx, env) {
    const clock = { ahead: ctx.storage.kv.get("clock-ahead") ?? 0, faults: 0, readings: 0 };
    super(ctx, env, () => {
      clock.readings += 1;
      if (clock.faults > 0 && clock.readings > 1) throw new Error("A fault that a test asked for");
      return Date.now() + clock.ahead;
    });
    this.#storage = ctx.storage;
    this.#clock = clock;
  }

  failAlarms(count) {
    this.#clock.faults = count;
    this.#clock.readings = 0;
  }

  async alarm() {
    this.#clock.readings = 0;
    await super.alarm();
    this.#clock.faults = Math.max(0, this.#clock.faults - 1);
    this.#clock.readings = 0;
  }

  async moveClock(ms) {
    const until = this.#clock.ahead + ms;
    for (let runs = 0; runs < 100_000; runs += 1) {
      const due = await this.#storage.getAlarm();
      if (due === null || due > Date.now() + until) break;
      this.#clock.ahead = Math.max(this.#clock.ahead, due - Date.now());
      await this.#storage.deleteAlarm();
      await this.alarm();
    }
    this.#clock.ahead = until;
    this.#storage.kv.put("clock-ahead", until);
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (!["/_local/clock", "/_local/faults"].includes(pathname)) {
      return servers.fetch(request, env, ctx);
    }
    const fleet = env.FLEETS.getByName(searchParams.get("workspace"));
    if (pathname === "/_local/clock") await fleet.moveClock(Number(searchParams.get("ms")));
    else await fleet.failAlarms(Number(searchParams.get("alarms")));
    return new Response("done");
  },
};
