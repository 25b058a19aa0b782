import * as z from "zod/mini";
import { mailWebhookOff } from "~/features/workspaces/owner-mails.server";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { auditEvent } from "../event";
import type { WebhookNotice } from "../webhook";
import { failedAction } from "./note-change.server";

/** How much one run does: workspaces, each with so many lines. What is left is due again in half a minute. */
const workspacesPerRun = 50;
const eventsPerRun = 200;

const due = z.array(z.object({ workspace: z.string(), events: z.array(auditEvent) }));
type Due = z.infer<typeof due>[number];

type Bindings = Pick<Env, "FLEETS" | "ASSETS">;
type Run = { configuration: Configuration; bindings: Bindings; database: ServiceClient };

/**
 * Hands the lines of audit logs that wait to the objects of their workspaces' webhooks, and notes which webhooks were
 * switched off there. It may be repeated, be cut off anywhere, or overlap with another run: a line waits until its object
 * has it, and one that comes twice changes nothing there. One request to the database where nothing is due. Never throws.
 */
export async function handOverEvents(
  configuration: Configuration,
  bindings: Bindings,
): Promise<void> {
  const database = serviceClient(configuration);
  const { data, error } = await database.rpc("due_webhook_events", {
    ...{ at_most: workspacesPerRun, events_at_most: eventsPerRun },
  });
  const read = due.safeParse(data);
  if (error || !read.success) {
    log.error("Events of webhooks were not read", describeError(error ?? read.error));
    return;
  }
  const run = { configuration, bindings, database };
  const handed = await Promise.all(read.data.map((each) => handOver(run, each)));
  const settled = handed.flat();
  if (settled.length === 0) return;
  const { error: unsettled } = await database.rpc("settle_webhook_events", { settled });
  if (unsettled) log.error("Events of webhooks were not settled", describeError(unsettled));
}

/** The lines that the object has. */
async function handOver(run: Run, { workspace, events }: Due): Promise<number[]> {
  try {
    const notices = await run.bindings.FLEETS.enqueueAuditEvents(workspace, events);
    for (const notice of notices) await settleNotice(run, workspace, notice);
    return events.map(({ id }) => id);
  } catch (error) {
    log.error("A workspace's webhooks did not take its events", describeError(error));
    return [];
  }
}

/** In the audit log once, and mailed to the owners; where something of it fails it comes again in an hour. */
async function settleNotice(
  { configuration, bindings, database }: Run,
  workspace: string,
  { id, at, webhook, host }: WebhookNotice,
): Promise<void> {
  try {
    const line = { id, at, action: failedAction, target: host, server: webhook, who: "" };
    await database.rpc("note_answers", { workspace, answers: [line] }).throwOnError();
    await mailWebhookOff({ configuration, bindings: bindings as Env }, workspace, host);
    await bindings.FLEETS.removeWebhookNotice(workspace, id);
  } catch (error) {
    log.error("That a webhook was switched off was not noted", describeError(error));
  }
}
