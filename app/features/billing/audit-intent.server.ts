import { type OfferKey, offers, planNames } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Holder } from "./subscriptions/customers.server";

/** The actions that call Stripe, as the audit log names them. */
export const auditActions = [
  "plan.change-asked",
  "plan.cancel-asked",
  "plan.resume-asked",
  "plan.keep-asked",
  "plan.give-up-asked",
  "plan.pause-asked",
  "plan.unpause-asked",
  "plan.order-asked",
  "checkout.began",
  "billing.opened",
  "billing.details-changed",
] as const;

export type AuditAction = (typeof auditActions)[number];

/**
 * Writes the actor to the workspace's audit log before Stripe is called, because webhooks carry no user. Throws when
 * it could not be written, and then Stripe is not called.
 */
export async function auditIntent(
  { configuration, caller }: Pick<AppContext, "configuration" | "caller">,
  { person, workspace }: Holder,
  action: AuditAction,
  offer?: OfferKey,
): Promise<void> {
  if (!workspace) throw new Error("The workspace could not be read");
  const target = offer ? `${planNames[offers[offer].plan]} per ${offers[offer].interval}` : "";
  await serviceClient(configuration, caller)
    .rpc("note_audit", { workspace: workspace.id, actor: person.id, action, target })
    .throwOnError();
}
