import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { storePlan } from "../billing/store-plan.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { newcomer } from "../provider-faults/users.ts";
import { runSql } from "../site/control-fakes.ts";
import { askForToken } from "./ask-for-token.ts";
import { Machine } from "./machine.ts";

/** A person with a plan and a deployment, who connects machines by its page. */
export async function serverCustomer(worker: RunningWorker, plan?: "basic" | "pro") {
  const email = `${crypto.randomUUID()}@example.com`;
  const { browser, userId } = await newcomer(worker.url, email);
  await browser.request("/dashboard");
  if (plan) await storePlan(email, plan);
  const deployment = await storeDeployment(email, fullOptions());
  const page = `/dashboard/deployments/${deployment}`;
  const [personal] = await runSql<{ id: string }>("select public.personal_workspace($1) as id", [
    userId,
  ]);
  const workspace = personal?.id ?? "none";
  return {
    ...{ email, browser, userId, deployment, page, workspace },
    /** `machines`: what is typed for their number. */
    askForToken: (machines?: string) => askForToken(browser, page, machines),
    async connect(instance: string) {
      const machine = new Machine(worker, instance);
      const { status } = await machine.enrol((await askForToken(browser, page)).token);
      if (status !== 200) throw new Error(`The machine was not connected: ${status}`);
      return machine;
    },
  };
}

/** A run of the cron in which every fleet is due. */
export async function updateFleets(worker: Pick<RunningWorker, "runScheduled">): Promise<void> {
  await runSql("update public.fleets set due_at = now()");
  await runSql("update public.closed_fleets set due_at = now()");
  await worker.runScheduled();
}
