import { type OfferKey, offers, planNames } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Holder } from "./subscriptions/customers.server";

/** What somebody may ask Stripe for, as the audit log names it. */
export const askedActions = [
  "plan.change-asked",
  "plan.cancel-asked",
  "plan.resume-asked",
  "plan.keep-asked",
  "plan.give-up-asked",
  "checkout.began",
  "billing.opened",
] as const;

export type Asked = (typeof askedActions)[number];

/**
 * Notes in the workspace's audit log who is about to ask Stripe for something, and for which offer: what Stripe reports
 * afterwards names nobody. Throws when it was not noted, and then Stripe is not asked.
 */
export async function noteAsked(
  { configuration, caller }: Pick<AppContext, "configuration" | "caller">,
  { person, workspace }: Holder,
  asked: Asked,
  offer?: OfferKey,
): Promise<void> {
  if (!workspace) throw new Error("The workspace could not be read");
  const target = offer ? `${planNames[offers[offer].plan]} per ${offers[offer].interval}` : "";
  await serviceClient(configuration, caller)
    .rpc("note_audit", { workspace: workspace.id, actor: person.id, action: asked, target })
    .throwOnError();
}
