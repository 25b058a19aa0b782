import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import {
  changeOwn,
  newTokenOf,
  report,
  reportOf,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { exchange } from "../../support/attacks/raw-http.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { variable } from "../../support/site/variables.ts";

beforeEach(resetFakes);

const madeUp = () =>
  `lkd_${randomBytes(64)
    .toString("base64")
    .replaceAll(/[^0-9A-Za-z]/g, "")
    .slice(0, 43)}`;

/** The beginning of a post whose body is announced and does not come. */
const announced = (siteUrl: string, token: string, length: number, address: string) =>
  [
    "POST /api/token-usage HTTP/1.1",
    `Host: ${new URL(siteUrl).host}`,
    `Authorization: Bearer ${token}`,
    `CF-Connecting-IP: ${address}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    "",
    "[",
  ].join("\r\n");

test("thirty made-up tokens with large bodies are refused before a body is read or the database asked", async () => {
  await using site = await startSiteWithFaults();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      exchange(site.url, announced(site.url, madeUp(), 589_000, randomAddress()), {
        enough: (came) => came.includes("revoked."),
      }),
    ),
  );
  for (const { came } of answers) expect(came).toMatch(/^HTTP\/1\.1 401 /);
  const line = { level: "warn", message: "An agent was refused", token: "not known" };
  const lines = await pollUntil(
    () => site.logged({ message: "An agent was refused" }),
    ({ length }) => length === 30,
  );
  expect(lines).toEqual(Array.from(lines, () => ({ ...line, requestId: expect.any(String) })));
  expect(site.supabaseProxy.requests).toEqual([]);
});

test("made-up tokens from one network are refused after so many in a minute", async () => {
  await using site = await startSiteWithFaults();
  const address = randomAddress();
  const ask = () =>
    fetch(`${site.url}/api/model-config`, {
      headers: { authorization: `Bearer ${madeUp()}`, "cf-connecting-ip": address },
    });
  const seen = new Set<number>();
  let last: Response | undefined;
  for (let nth = 0; nth < 130 && last?.status !== 429; nth++) {
    last = await ask();
    seen.add(last.status);
  }
  expect([...seen]).toEqual([401, 429]);
  expect(await last?.json()).toMatchObject({
    detail: expect.stringMatching(/^More than 60 calls in a minute from your network had no token/),
  });
  // A good token at the same network goes on.
  const token = await newTokenOf(await customer());
  const good = await fetch(`${site.url}/api/model-config`, {
    headers: { authorization: `Bearer ${token}`, "cf-connecting-ip": address },
  });
  expect(good.status).toBe(200);
});

test("a revoked token is looked up once, and then refused without its body or the database", async () => {
  await using site = await startSiteWithFaults();
  const owner = await customer();
  const token = await newTokenOf(owner);
  const [made] = (await userConfiguration(owner)).tokens;
  await changeOwn(owner, { intent: "revoke-token", token: made?.id ?? "" });
  const post = () =>
    fetch(`${site.url}/api/token-usage`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(reportOf("event_1")),
    });
  expect((await post()).status).toBe(401);
  expect(site.supabaseProxy.requests).toHaveLength(1);
  expect((await post()).status).toBe(401);
  const { came } = await exchange(site.url, announced(site.url, token, 589_000, randomAddress()), {
    enough: (text) => text.includes("revoked."),
  });
  expect(came).toMatch(/^HTTP\/1\.1 401 /);
  expect(site.supabaseProxy.requests).toHaveLength(1);
});

test("a token outlives the secret that it was made under, as long as that is listed as a former one", async () => {
  const token = await newTokenOf(await customer());
  const COOKIE_SECRET = randomBytes(32).toString("base64");
  const former = variable("COOKIE_SECRET");
  for (const [variables, status] of [
    [{ COOKIE_SECRET }, 401],
    [{ COOKIE_SECRET, FORMER_COOKIE_SECRETS: former }, 200],
    [{ COOKIE_SECRET: `${COOKIE_SECRET},${former}` }, 200],
  ] as const) {
    await using site = await startSiteWithFaults(variables);
    const response = await fetch(`${site.url}/api/model-config`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([variables, response.status]).toEqual([variables, status]);
  }
  expect((await report(token, reportOf("event_1"))).status).toBe(200);
});
