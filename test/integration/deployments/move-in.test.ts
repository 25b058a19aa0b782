import { beforeEach, expect, test } from "vitest";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";

beforeEach(resetFakes);

const path = "/dashboard/deployments/move-in";
const names = { domain: "livekit.mycompany.com", email: "ops@mycompany.com" };
const options = {
  mediaUdp: "single",
  rooms: { maxParticipants: 12, codecs: ["opus", "vp8"] },
  webhooks: ["https://app.mycompany.com/livekit"],
};

test("what was found in files becomes a deployment with the defaults for the rest, and the wizard goes on from there", async () => {
  const visitor = await customer("pro");
  const made = await visitor.post(path, {
    ...names,
    options: JSON.stringify({ ...options, extraDomains: ["rtc.mycompany.com"] }),
  });
  expect(made.status).toBe(303);
  const to = made.headers.get("location") ?? "";
  expect(to).toMatch(/^\/dashboard\/deployments\/[^/]+\/edit\?made=$/);
  const [, id = ""] = /deployments\/([^/]+)\/edit/.exec(to) ?? [];
  const stored = await storedDeployment(id);
  expect(stored.version).toBe(1);
  expect(stored.options).toMatchObject({
    ...{ ...options, ...names, extraDomains: ["rtc.mycompany.com"] },
    rooms: { ...options.rooms, emptyTimeout: 300 },
    ...{ security: "standard", redis: { kind: "bundled" } },
  });
});

test("on Basic what is part of Pro is left out and named", async () => {
  const visitor = await customer("basic");
  const found = { ...options, ingress: "both", recording: { kind: "local" } };
  const made = await visitor.post(path, { ...names, options: JSON.stringify(found) });
  const to = made.headers.get("location") ?? "";
  expect(await textAt(visitor, to)).toContain("without Ingress and recording: that is part of Pro");
  const [, id = ""] = /deployments\/([^/]+)\/edit/.exec(to) ?? [];
  expect((await storedDeployment(id)).options).toMatchObject({
    ...{ ingress: "none", recording: { kind: "none" }, mediaUdp: "single" },
  });
  // The one deployment of Basic is there now.
  expect(await textAt(visitor, path)).toContain("Basic has one deployment, and you have it.");
});

test("what is posted is refused where no file could have said it, and what was typed is in the answer", async () => {
  const visitor = await customer("pro");
  const bad = await visitor.post(path, {
    ...{ domain: "not a name", email: "ops@mycompany.com" },
    options: JSON.stringify(options),
  });
  expect(bad.status).toBe(400);
  expect(textOfHtml(await bad.text())).toContain("Please look at the marked fields.");
  for (const posted of [
    "",
    "[]",
    '{"rooms":{"maxParticipants":"<b>"}}',
    '{"redis":{"kind":"x"}}',
  ]) {
    const answer = await visitor.post(path, { ...names, options: posted });
    expect(answer.status, posted).toBe(400);
    expect(await answer.text()).toContain("cannot be read here");
  }
  // Names of options that no file says are not read, whatever they hold.
  const others = { sshSource: ["0.0.0.0/0"], version: 9, sessions: "named", nonsense: true };
  const made = await visitor.post(path, { ...names, options: JSON.stringify(others) });
  expect(made.status).toBe(303);
  const [, id = ""] = /deployments\/([^/]+)\/edit/.exec(made.headers.get("location") ?? "") ?? [];
  expect((await storedDeployment(id)).options).toMatchObject({
    ...{ sshSource: [], sessions: "hashed" },
  });
});

test("without a plan nothing is made, and the page leads to one; a new deployment leads to moving in", async () => {
  const visitor = await customer();
  expect(await textAt(visitor, path)).toContain("Choose a plan");
  const refused = await visitor.post(path, { ...names, options: "{}" });
  expect(refused.status).toBe(403);
  const entitled = await customer("pro");
  const begin = await (await entitled.request("/dashboard/deployments/new")).text();
  expect(begin).toContain(`href="${path}"`);
  await newDeployment(entitled);
});
