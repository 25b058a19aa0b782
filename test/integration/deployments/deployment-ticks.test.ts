import { beforeEach, expect, test } from "vitest";
import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";
import {
  storeDeployment,
  storedDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import type { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const options: DeploymentOptions = {
  ...defaultOptions,
  domain: "live.example.com",
  email: "ops@example.com",
};

let visitor: Visitor;
let id: string;
const here = () => `/dashboard/deployments/${id}`;
const words = () => textAt(visitor, here());

beforeEach(async () => {
  await resetFakes();
  visitor = await customer("pro", email);
  id = await storeDeployment(email, options);
});

async function tickAll(): Promise<void> {
  await visitor.post(here(), { intent: "address", ipv4: "198.41.0.4" });
  for (const step of ["files", "dns", "doctor", "connect"]) {
    await visitor.post(here(), { intent: "progress", step, done: "yes" });
  }
}

test("friction 9: a download ticks itself, for the version that was downloaded", async () => {
  const zip = await visitor.request(`${here()}/bundle.zip`);
  expect(zip.status).toBe(200);
  await zip.arrayBuffer();
  expect((await storedDeployment(id)).ticks).toEqual({
    files: { version: 1, at: expect.any(String), how: "site" },
  });
  await storeVersion(email, id, { ...options, updates: "weekly" }, 1);
  await (await visitor.request(`${here()}/bundle.zip?version=1`)).arrayBuffer();
  expect((await storedDeployment(id)).ticks).toMatchObject({ files: { version: 1 } });
  expect(await words()).toContain("Update schedule changed since v1.");
});

test.each<[string, Partial<DeploymentOptions>, (string | undefined)[]]>([
  [
    "the domain",
    { domain: "calls.example.com" },
    [
      undefined,
      "DNS Next Domain changed since v1.",
      "Doctor Domain changed since v1.",
      "Connect Domain changed since v1.",
    ],
  ],
  [
    "the region",
    { region: "eu-west" },
    [
      "Create VM Next Region changed since v1.",
      "DNS Region changed since v1.",
      "Doctor Region changed since v1.",
      "Connect Region changed since v1.",
    ],
  ],
  [
    "the update schedule",
    { updates: "weekly" },
    [undefined, undefined, "Doctor Next Update schedule changed since v1.", undefined],
  ],
])(
  "friction 7: after a change of %s only the steps that it touches are open again",
  async (_, change, opened) => {
    await tickAll();
    const before = await words();
    expect(before).toContain("5 of 5 done.");
    await storeVersion(email, id, { ...options, ...change }, 1);
    const after = await words();
    const titles = ["Create VM", "DNS", "Doctor", "Connect"];
    for (const [at, title] of titles.entries()) {
      expect.soft(after).toContain(opened[at] ?? `${title} Done ${at === 0 ? "" : "by you "}on`);
    }
    expect(after).toContain(`${5 - opened.filter(Boolean).length} of 5 done.`);
    expect(after).toMatch(/ Files [A-Z][a-z ]+ changed since v1\./);
    const list = await textAt(visitor, "/dashboard/deployments");
    expect(list).toContain("Next: download the files");
  },
);

test("friction 11: the address belongs to the machine: after a change of the region a new one is asked for", async () => {
  await tickAll();
  await storeVersion(email, id, { ...options, region: "eu-west" }, 1);
  const after = await words();
  expect(after).not.toContain("198.41.0.4");
  expect(after).toContain("the server&#x27;s IPv4 address");
  expect((await visitor.post(here(), { intent: "look" })).status).toBe(400);
});

test("another address of the server takes back what was seen of the former one", async () => {
  await tickAll();
  await visitor.post(here(), { intent: "address", ipv4: "198.41.0.5" });
  expect(Object.keys(Object((await storedDeployment(id)).ticks)).toSorted()).toEqual([
    "connect",
    "files",
    "machine",
  ]);
});

test("friction 7: a done step says Mark as not done, never its state", async () => {
  await tickAll();
  const page = await (await visitor.request(here())).text();
  expect(page).not.toContain("Not done yet");
  expect(page).toContain("Mark as not done: VM created");
  await visitor.post(here(), { intent: "progress", step: "machine", done: "no" });
  expect(await (await visitor.request(here())).text()).toContain("Mark as done: VM created");
});
