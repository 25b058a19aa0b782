import { beforeEach, expect, test } from "vitest";
import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";
import {
  storeDeployment,
  storedDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
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

/** What the page of version 1 posts when its zip has arrived. */
const downloaded = {
  ...{ intent: "progress", step: "files", done: "yes" },
  ...{ seen: "yes", version: "1" },
};

test("a download ticks itself, for the version that was downloaded", async () => {
  const zip = await visitor.request(`${here()}/bundle.zip`);
  expect(zip.status).toBe(200);
  await zip.arrayBuffer();
  expect((await storedDeployment(id)).ticks).toEqual({});
  expect((await visitor.post(here(), downloaded)).status).toBe(200);
  expect((await storedDeployment(id)).ticks).toEqual({
    files: { version: 1, at: expect.any(String), how: "site" },
  });
  await storeVersion(email, id, { ...options, updates: "weekly" }, 1);
  await visitor.post(here(), downloaded);
  expect((await storedDeployment(id)).ticks).toMatchObject({ files: { version: 1 } });
  expect(await words()).toContain("Update schedule changed since v1.");
});

test("of a cluster the steps are those of several machines, and each port says where it is", async () => {
  const topology = {
    ...({ kind: "cluster", machines: 3, network: "10.0.0.0/16", egress: 0 } as const),
  } as const;
  await tickAll();
  await storeVersion(email, id, { ...options, topology }, 1);
  const page = await words();
  expect(page).toContain("Next: create the machines");
  expect(page).toContain("3 machines for calls and a smaller one, the edge");
  expect(page).toContain("sh cluster.sh make EDGE NODE-1 NODE-2 NODE-3");
  expect(page).toContain("sh cluster.sh doctor");
  expect(page).toContain("IPv4 address of the edge");
  expect(page).not.toContain("Create a machine with");
  expect(page).toMatch(/HTTPS and TURN\/TLS +On the edge/);
});

testInProof.each<[string, Partial<DeploymentOptions>, (string | undefined)[], string]>([
  [
    "the domain",
    { domain: "calls.example.com" },
    [
      undefined,
      "DNS Next Domain changed since v1.",
      "Doctor Domain changed since v1.",
      "Connect Domain changed since v1.",
    ],
    "set the DNS records",
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
    "create the VM",
  ],
  [
    "the update schedule",
    { updates: "weekly" },
    [undefined, undefined, "Doctor Next Update schedule changed since v1.", undefined],
    "run the doctor",
  ],
])(
  "after a change of %s only the steps that it touches are open again",
  async (_, change, opened, next) => {
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
    expect(list).toContain(`Your server runs version 1. Next: ${next}`);
  },
);

testInProof("the list says that everything is done as soon as the five steps are", async () => {
  await tickAll();
  await visitor.post(here(), { intent: "progress", step: "files", done: "no" });
  expect(await words()).toContain("5 of 5 done.");
  expect(await textAt(visitor, "/dashboard/deployments")).toContain("Everything is done");
});

testInProof(
  "the list says nothing of an older version where nothing of the change reaches the server",
  async () => {
    await tickAll();
    await storeVersion(email, id, { ...options, secrets: "browser" }, 1);
    const list = await textAt(visitor, "/dashboard/deployments");
    expect(list).toContain("Everything is done");
    expect(list).not.toContain("Your server runs");
  },
);

testInProof(
  "a step is marked for the version that its page showed, and not for one saved since",
  async () => {
    await visitor.post(here(), { intent: "address", ipv4: "198.41.0.4" });
    await storeVersion(email, id, { ...options, domain: "calls.example.com" }, 1);
    await visitor.post(here(), { intent: "progress", step: "dns", done: "yes", version: "1" });
    expect((await storedDeployment(id)).ticks).toMatchObject({ dns: { version: 1 } });
    expect(await words()).toContain("DNS Next Domain changed since v1.");
    await visitor.post(here(), { intent: "progress", step: "doctor", done: "yes", version: "1" });
    expect(await storedDeployment(id)).toMatchObject({ applied_version: 1 });
    for (const version of ["0", "-1", "3", "1.5", "one"]) {
      await visitor.post(here(), { intent: "progress", step: "dns", done: "yes", version });
      expect.soft((await storedDeployment(id)).ticks).toMatchObject({ dns: { version: 2 } });
    }
  },
);

testInProof(
  "a machine is of the version that was downloaded, whatever its page shows by then",
  async () => {
    await visitor.post(here(), downloaded);
    await storeVersion(email, id, { ...options, updates: "weekly" }, 1);
    await visitor.post(here(), { intent: "address", ipv4: "198.41.0.4", version: "2" });
    expect(await storedDeployment(id)).toMatchObject({
      server_version: 1,
      applied_version: 1,
      ticks: { machine: { version: 1 } },
    });
    expect(await words()).toContain("Version 2 is not on your server");
  },
);

testInProof(
  "the address of a new machine says which version runs, and the same one pasted again does not",
  async () => {
    await tickAll();
    await storeVersion(email, id, { ...options, region: "eu-west" }, 1);
    expect(await words()).toContain("It runs version 1");
    await visitor.post(here(), { intent: "address", ipv4: "198.41.0.5", version: "2" });
    expect(await storedDeployment(id)).toMatchObject({ applied_version: 2 });
    expect(await words()).not.toContain("It runs version");
    await storeVersion(email, id, { ...options, region: "eu-west", updates: "weekly" }, 2);
    await visitor.post(here(), { intent: "address", ipv4: "198.41.0.5", version: "3" });
    expect(await storedDeployment(id)).toMatchObject({ applied_version: 2 });
  },
);

testInProof(
  "a customer with a server from before addresses were asked for is not shown a first one",
  async () => {
    for (const step of ["files", "machine", "dns", "doctor"]) {
      await visitor.post(here(), { intent: "progress", step, done: "yes" });
    }
    const overview = await textAt(visitor, "/dashboard");
    expect(overview).toContain("Your servers");
    expect(overview).not.toContain("Your first server");
  },
);

testInProof(
  "a customer with several deployments sees them in short, whatever is done of them",
  async () => {
    expect(await textAt(visitor, "/dashboard")).toContain("Your first server");
    await storeDeployment(email, { ...options, domain: "calls.example.com" }, "Second");
    expect(await textAt(visitor, "/dashboard")).toContain("Your servers");
  },
);

testInProof(
  "the address belongs to the machine: after a change of the region a new one is asked for",
  async () => {
    await tickAll();
    await storeVersion(email, id, { ...options, region: "eu-west" }, 1);
    const after = await words();
    expect(after).not.toContain("198.41.0.4");
    expect(after).toContain("the server&#x27;s IPv4 address");
    expect((await visitor.post(here(), { intent: "look" })).status).toBe(400);
  },
);

testInProof(
  "another address of the server takes back what was seen of the former one",
  async () => {
    await tickAll();
    await visitor.post(here(), { intent: "address", ipv4: "198.41.0.5" });
    expect(Object.keys(Object((await storedDeployment(id)).ticks)).toSorted()).toEqual([
      "connect",
      "files",
      "machine",
    ]);
  },
);

testInProof("a done step says Mark as not done, never its state", async () => {
  await tickAll();
  const page = await (await visitor.request(here())).text();
  expect(page).not.toContain("Not done yet");
  expect(page).toContain("Mark as not done: VM created");
  await visitor.post(here(), { intent: "progress", step: "machine", done: "no" });
  expect(await (await visitor.request(here())).text()).toContain("Mark as done: VM created");
});
