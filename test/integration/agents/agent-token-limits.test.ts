import { beforeEach, expect, test } from "vitest";
import {
  changeOwn,
  readConfiguration,
  report,
  reportOf,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { database } from "../../support/database/database.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

async function make(visitor: Visitor, choices: Record<string, string>): Promise<string> {
  const made = await changeOwn(visitor, { intent: "create-token", name: "Agent", ...choices });
  expect(made).toMatchObject({ ok: true });
  return made.ok ? (made.token ?? "") : "";
}

/** What the two addresses of the API answer to a token, asked twice: a refusal is remembered. */
async function answersTo(token: string): Promise<{ configuration: number[]; usage: number[] }> {
  const answers = { configuration: [] as number[], usage: [] as number[] };
  for (const event of ["first", "second"]) {
    answers.configuration.push((await readConfiguration(token)).status);
    answers.usage.push((await report(token, reportOf(event))).status);
  }
  return answers;
}

test.each(
  sample(
    [
      ["configuration", { configuration: [200, 200], usage: [401, 401] }],
      ["usage", { configuration: [401, 401], usage: [200, 200] }],
      ["", { configuration: [200, 200], usage: [200, 200] }],
    ],
    1,
  ),
)(
  "a token made with the scope '%s' is let in for that and nothing else",
  async (scope, answers) => {
    expect(await answersTo(await make(await customer(), { scope }))).toEqual(answers);
  },
);

test("a token has the end that was chosen, and is refused from then on", async () => {
  const visitor = await customer();
  const token = await make(visitor, { days: "30" });
  const [{ endsAt } = { endsAt: null }] = (await userConfiguration(visitor)).tokens;
  const days = (Date.parse(endsAt ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThanOrEqual(30);
  expect((await readConfiguration(token)).status).toBe(200);
  await database
    .from("api_tokens")
    .update({ ends_at: new Date().toISOString() })
    .eq("name", "Agent")
    .throwOnError();
  expect(await answersTo(token)).toEqual({ configuration: [401, 401], usage: [401, 401] });
});

testInProof(
  "a form that says nothing of limits makes a token for both, without an end",
  async () => {
    const visitor = await customer();
    await make(visitor, {});
    expect((await userConfiguration(visitor)).tokens).toMatchObject([
      { scopes: ["configuration", "usage"], endsAt: null },
    ]);
  },
);

testInProof.each<Record<string, string>>([
  { scope: "everything" },
  { scope: "configuration,usage" },
  { days: "31" },
  { days: "-30" },
  { scope: "usage", days: "365000" },
])("limits that the form does not offer make no token: %o", async (choices) => {
  const visitor = await customer();
  const refused = await changeOwn(visitor, { intent: "create-token", name: "Agent", ...choices });
  expect(refused).toEqual({
    ok: false,
    status: 400,
    message: "Choose what the token may do, and until when, from the lists.",
  });
  expect((await userConfiguration(visitor)).tokens).toEqual([]);
});
