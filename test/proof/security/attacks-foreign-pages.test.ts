import { beforeAll, expect, test } from "vitest";
import { newTokenOf } from "../../support/agents/agent.ts";
import { send } from "../../support/attacks/raw-http.ts";
import { everyRow, tableNames } from "../../support/attacks/stored-rows.ts";
import { receivedWrites } from "../../support/billing/stripe-account.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

/** What programs ask for: a cookie counts for nothing there, so that no page can use a visitor's. */
const forPrograms = [
  "/api/stripe/webhook",
  "/api/model-config",
  "/api/token-usage",
  "/csp-reports",
];

const here = new URL(siteUrl);
/** Look-alikes that the local runtime brings into form are in `test/unit/security/same-origin.test.ts`. */
const strangers: readonly (string | undefined)[] = [
  undefined,
  "null",
  "",
  "https://evil.example",
  `${siteUrl}.evil.example`,
  `http://evil.example:${here.port}`,
  `http://${here.hostname}:1`,
  `${siteUrl}/`,
  `${siteUrl}, https://evil.example`,
];

let visitor: Visitor;
let paths: string[];
const tables = tableNames();

beforeAll(async () => {
  await resetFakes();
  visitor = await customer("pro");
  const id = await newDeployment(visitor);
  await newTokenOf(visitor);
  paths = siteRoutes().map(({ path }) =>
    path
      .replace(":id", id)
      .replace(":name", "livekit.yaml")
      .replace(":tool", "tasks")
      .replace(":tab", "create")
      .replace(":slug", "no-such-article"),
  );
});

/** Fields that make each form of the site do something. */
const effective = new URLSearchParams({
  intent: "create-token",
  plan: "pro",
  option: "monthly",
  scope: "global",
  name: "Somebody",
  email: "somebody@example.com",
  topic: "support",
  message: "A message that is long enough.",
  restore: "1",
  provider: "google",
}).toString();

function post(target: string, origin: string | undefined, method = "POST") {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers: Record<string, string> = {
    cookie,
    "cf-connecting-ip": randomAddress(),
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(effective.length),
    ...(origin === undefined ? {} : { origin }),
  };
  return send(siteUrl, { method, target, headers, body: effective });
}

async function everything() {
  return { rows: await everyRow(tables), writes: await receivedWrites() };
}

test("a page of another site changes nothing for a signed-in visitor, at any address, by any method", async () => {
  const before = await everything();
  const addresses = paths.flatMap((path) => [path, `${path === "/" ? "/_" : path}.data`]);
  const refused = addresses.filter((path) => !forPrograms.includes(path));
  expect(refused.length).toBeGreaterThan(100);
  for (const path of refused) {
    const answers = await Promise.all(strangers.map((origin) => post(path, origin)));
    const statuses = answers.map(({ status }) => status);
    expect.soft(statuses, `POST ${path}`).toEqual(strangers.map(() => 403));
  }
  for (const path of paths.filter((each) => !forPrograms.includes(each))) {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const { status } = await post(path, "https://evil.example", method);
      expect.soft(status, `${method} ${path}`).toBe(403);
    }
  }
  expect(await everything()).toEqual(before);
  expect((await visitor.request("/dashboard")).status).toBe(200);
}, 180_000);

test("where programs may ask without an origin, a visitor's cookie opens nothing", async () => {
  for (const path of forPrograms) {
    for (const origin of [undefined, "https://evil.example", siteUrl]) {
      const { status } = await post(path, origin);
      expect.soft([400, 401, 405, 415], `POST ${path} from ${origin}: ${status}`).toContain(status);
    }
  }
});

test("to open an address changes nothing, whatever its query and its headers say", async () => {
  const before = await everything();
  for (const path of paths) {
    const response = await visitor.request(`${path}?${effective}&_method=POST`, {
      headers: { "x-http-method-override": "POST", "x-http-method": "DELETE" },
    });
    expect.soft(response.status, path).toBeLessThan(500);
    await response.body?.cancel();
  }
  expect(await everything()).toEqual(before);
  expect((await visitor.request("/dashboard")).status).toBe(200);
}, 180_000);
