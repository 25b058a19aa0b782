import { WorkerEntrypoint } from "cloudflare:workers";
import type { CheckTarget, RungResult } from "~/features/deployments/checks/check";
import { runCheck } from "~/features/servers/checks/run-check.server";

/**
 * Checks servers from outside, for the fleets of this Worker: each check in an invocation of its own, which has its own
 * limit of open connections and holds up no object.
 */
export class Checks extends WorkerEntrypoint<ServersEnv> {
  run(target: CheckTarget): Promise<RungResult[]> {
    return runCheck(this.env, target);
  }
}
