import { beforeEach, expect, test } from "vitest";
import type { UsageStatisticsView } from "../../../app/features/agents/usage/statistics.ts";
import { userConfiguration } from "../../support/agents/agent.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { runCommand } from "../../support/commands/run-command.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, siteUrl } from "../../support/site/own-site.ts";
import { textAt } from "../../support/site/page-text.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

/** Runs `npm run seed` against this file's site. */
async function runSeed(environment: Record<string, string> = {}) {
  const { code, output, complaint } = await runCommand("scripts/dev/seed.ts", [], {
    environment: {
      NODE_ENV: "development",
      PORT: new URL(siteUrl).port,
      LOCAL_PORT_BASE: String(portBase),
      ...environment,
    },
  });
  return { code, output: output + complaint };
}

/** Signs in with what the command printed. */
async function signedInAs(output: string): Promise<Visitor> {
  const email = /E-mail +(.+)/.exec(output)?.[1] ?? "";
  const password = /Password +(.+)/.exec(output)?.[1] ?? "";
  const visitor = new Visitor();
  const response = await visitor.post("/signin", { intent: "sign_in", email, password });
  expect(response.headers.get("location")).toBe("/dashboard");
  return visitor;
}

test("npm run seed prints who may sign in, their console shows months of use, and a second run adds nothing", async () => {
  const { code, output } = await runSeed();
  expect(code, output).toBe(0);
  const again = await runSeed();
  expect(again.code, again.output).toBe(0);
  expect(again.output).toContain("The account is there already.");
  const visitor = await signedInAs(again.output);

  expect(await textAt(visitor, "/dashboard")).toMatch(/Pro .*Active/);
  const billing = await textAt(visitor, "/dashboard/billing");
  expect(billing.match(/\$109\.99/g)?.length).toBeGreaterThanOrEqual(5);
  expect(billing).not.toContain("failed");

  const deployments = await textAt(visitor, "/dashboard/deployments");
  for (const name of ["Production", "Staging", "Streaming studio"]) {
    expect(deployments).toContain(name);
  }
  const list = await (await visitor.request("/dashboard/deployments")).text();
  const ids = new Set([...list.matchAll(/deployments\/([0-9a-f-]{36})/g)].map(([, id]) => id));
  const versions = await Promise.all(
    [...ids].map(async (id) => {
      const page = await (await visitor.request(`/dashboard/deployments/${id}/versions`)).text();
      return Math.max(
        1,
        ...[...page.matchAll(/<option[^>]*value="(\d+)"/g)].map(([, n]) => Number(n)),
      );
    }),
  );
  expect(versions.toSorted()).toEqual([2, 3, 6]);

  const texts = await Promise.all(
    [...ids].map((id) => textAt(visitor, `/dashboard/deployments/${id}`)),
  );
  for (const words of [
    "sfu-1",
    "14 in calls",
    "Degraded: The disk fills up",
    "Updating since",
    "Disconnected since",
  ]) {
    expect(texts.join()).toContain(words);
  }

  const [production] = texts.filter((text) => text.includes("sfu-1"));
  expect(production).toContain("Runs version 6");
  expect(production).toContain("Runs version 5, 6 is saved");
  const fleet = await (await visitor.request("/dashboard")).text();
  const ofServers = [...fleet.matchAll(/href="(\/dashboard\/servers\/[0-9a-f-]{36})"/g)];
  const pages = await Promise.all(
    ofServers.map(async ([, path = ""]) => ({ path, text: await textAt(visitor, path) })),
  );
  const first = pages.find(({ text }) => text.includes("Runs version 6."));
  expect(first?.text).toMatch(/Past incidents.*The server is down.* until /s);
  for (const range of ["48h", "7d", "90d"]) {
    const page = await (await visitor.request(`${first?.path}?range=${range}`)).text();
    const table = /<caption[^>]*>Participants<\/caption>([\s\S]*?)<\/table>/.exec(page)?.[1] ?? "";
    const figures = [...table.matchAll(/<td[^>]*>(\d+)<\/td>/g)].map(([, figure]) =>
      Number(figure),
    );
    // The one report that a machine sent says 14.
    expect(Math.max(...figures), range).toBeGreaterThan(17);
  }
  expect(pages.some(({ text }) => /What to do|is said above/.test(text))).toBe(true);

  const configuration = await userConfiguration(visitor);
  expect(configuration.versions).toHaveLength(4);
  expect(configuration.tokens).toHaveLength(2);
  const to = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.now() - 60 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
  const answer = await visitor.request(`/openai-config/usage?${new URLSearchParams({ from, to })}`);
  const usage = (await answer.json()) as UsageStatisticsView;
  expect(usage.days).toHaveLength(56);
  expect(usage.identities).toHaveLength(3);
});

test("npm run seed says what to do where somebody has bought already, and makes nobody up", async () => {
  await buy(await signedIn(), "basic");
  const { code, output } = await runSeed();
  expect(code).toBe(1);
  expect(output).toContain("Empty the local data with npm run reset");
  expect(output).not.toContain("Password");
});

test("npm run seed refuses production, and says what must run where nothing does", async () => {
  const production = await runSeed({ NODE_ENV: "production" });
  expect(production.code).toBe(1);
  expect(production.output).toContain("does not run when NODE_ENV is production");
  const alone = await runSeed({ PORT: String(portBase + 29) });
  expect(alone.code).toBe(1);
  expect(alone.output).toContain("Run npm start or npm run dev in another terminal first");
  const real = await runSeed({ LOCAL_PORT_BASE: String(portBase + 20) });
  expect(real.code).toBe(1);
  expect(real.output).toContain("The fake of Supabase does not answer");
});
