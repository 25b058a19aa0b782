import { DurableObject } from "cloudflare:workers";
import { FleetParts } from "./fleet-parts";

/** What every room of a fleet's object works with. None of it can be called from outside. */
export abstract class FleetObject extends DurableObject<ServersEnv> {
  protected readonly sql: SqlStorage;
  protected readonly now: () => number;
  protected readonly parts: FleetParts;

  /** `now` is for tests, which move the time. */
  constructor(ctx: DurableObjectState, env: ServersEnv, now: () => number = Date.now) {
    super(ctx, env);
    this.now = now;
    this.sql = ctx.storage.sql;
    this.parts = new FleetParts(ctx, env, now);
  }
}
