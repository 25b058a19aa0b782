import * as z from "zod/mini";
import { planQuotas } from "~/content/plans";
import { priceIds } from "~/features/billing/prices/prices";
import type { WorkspaceFacts } from "~/features/servers/state/workspace-facts";
import type { Configuration } from "~/platform/env/configuration.server";

const row = z.object({
  slug: z.string(),
  name: z.string(),
  plan: z.enum(["none", "basic", "pro"]),
  ended_at: z.nullable(z.string()),
  history_over: z.boolean(),
});

/** What the database's function `fleet_facts` answers, as the servers Worker is told it. */
export const workspaceFacts = z.pipe(
  row,
  z.transform(
    ({ slug, name, plan, ended_at, history_over }): WorkspaceFacts => ({
      ...{ slug, name, servers: planQuotas[plan].servers },
      ...(ended_at === null ? {} : { endedAt: Date.parse(ended_at) }),
      ...(history_over ? { isHistoryOver: true } : {}),
    }),
  ),
);

/** The prices that count as Basic in rows of subscriptions that name no plan. */
export function basicPrices(configuration: Configuration): string[] {
  const { basic, monthly } = priceIds(configuration);
  return [basic, monthly];
}
