import * as z from "zod/mini";

// What this program reads of the API's answers. /api/v1/openapi.json describes them whole.

export const deploymentAnswer = z.object({
  ...{ id: z.string(), name: z.string(), version: z.int() },
  options: z.nullable(z.record(z.string(), z.unknown())),
});

export const comparisonAnswer = z.object({
  version: z.int(),
  options: z.array(
    z.object({ path: z.string(), before: z.unknown(), after: z.unknown(), effect: z.string() }),
  ),
  ...{ tasks: z.array(z.string()), changes_machine: z.boolean() },
  files: z.array(
    z.object({
      ...{ name: z.string(), change: z.string(), diff: z.string() },
      ...{ added: z.int(), removed: z.int() },
    }),
  ),
});
export type Comparison = z.output<typeof comparisonAnswer>;

export const serverAnswer = z.object({
  ...{ id: z.string(), name: z.string(), deployment: z.nullable(z.string()) },
  state: z.object({ code: z.string() }),
  version: z.nullable(
    z.object({ deployment: z.string(), version: z.int(), is_changed: z.boolean() }),
  ),
  findings: z.array(z.object({ code: z.string() })),
});
export type Server = z.output<typeof serverAnswer>;

export const serverPage = z.object({
  items: z.array(serverAnswer),
  next_cursor: z.nullable(z.string()),
});

export const rolloutAnswer = z.object({
  ...{ id: z.string(), version: z.int(), state: z.string(), reason: z.nullable(z.string()) },
  ...{ approvals_needed: z.int(), approvals: z.array(z.unknown()) },
});
export type Rollout = z.output<typeof rolloutAnswer>;

export const rolloutList = z.object({ items: z.array(rolloutAnswer) });
