import * as z from "zod/mini";
import { planQuotas } from "~/content/plans";
import { priceIds } from "~/features/billing/prices/prices";
import type { AppContext } from "~/http/app-context";
import type { ServiceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

const plan = z.enum(["none", "basic", "pro"]);

/** How many members a workspace may have, by its plan; undefined when that cannot be read. */
export async function membersAllowed(
  { configuration }: AppContext,
  database: ServiceClient,
  workspace: string,
): Promise<number | undefined> {
  const { basic, monthly } = priceIds(configuration);
  const { data, error } = await database.rpc("workspace_plan", {
    workspace,
    basic_prices: [basic, monthly],
  });
  if (!error) return planQuotas[plan.parse(data)].members;
  log.error("The plan of a workspace was not read", describeError(error));
}
