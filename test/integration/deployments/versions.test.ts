import { beforeEach, expect, test } from "vitest";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer, newDeployment, saveStep } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

test("versions say when, by whom and why, and compare choices before files", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  expect((await saveStep(visitor, id, "management", { updates: "weekly" })).status).toBe(303);
  const versions = `/dashboard/deployments/${id}/versions`;
  expect((await visitor.post(versions, { noted: "2", note: "Patches by themselves" })).status).toBe(
    303,
  );
  const page = await textAt(visitor, versions);
  expect(page).toMatch(
    /v2 \w{3} \d+, \d{4}, \d+:\d\d [AP]M UTC customer\.one@example\.com newest Patches by themselves/,
  );
  const [choices, files] = [page.indexOf("Update schedule"), page.indexOf("files.txt")];
  expect(page.slice(choices)).toMatch(
    /^Update schedule Manual → became Weekly On a running server: restart by apply/,
  );
  expect(choices).toBeLessThan(files);
  expect(page).toContain("sudo livekit-deploy apply rtc.mycompany.com-v2.zip");
  expect((await visitor.post(versions, { restore: "1" })).status).toBe(303);
  expect(await textAt(visitor, versions)).toContain("Restored from v1");
});

testInProof("a note that is too long is still there to be shortened", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const note = "why ".repeat(51).trim();
  const answer = await visitor.post(`/dashboard/deployments/${id}/versions`, { noted: "1", note });
  const page = await answer.text();
  expect(answer.status).toBe(400);
  expect(textOfHtml(page)).toContain("A note has at most 200 characters.");
  expect(page).toContain(`value="${note}"`);
});

testInProof("a version that is not on the server is said, with what brings it there", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const here = `/dashboard/deployments/${id}`;
  const doctor = { intent: "progress", step: "doctor", done: "yes" };
  expect((await visitor.post(here, doctor)).status).toBe(303);
  expect(await textAt(visitor, here)).not.toContain("not on your server");
  await saveStep(visitor, id, "deployment", { size: "large" });
  await saveStep(visitor, id, "domain", { extraDomains: "calls.mycompany.com" });
  const page = await textAt(visitor, here);
  expect(page).toContain("Version 3 is not on your server It runs version 1, since");
  const tasks = [
    "Change the machine at your provider Stop it, give it the type c7i.2xlarge",
    "Set DNS records New: A calls.mycompany.com.",
    "sudo livekit-deploy apply rtc.mycompany.com-v3.zip",
  ].map((words) => page.indexOf(words));
  expect(tasks).toEqual(tasks.toSorted((one, other) => one - other));
  expect(tasks[0]).toBeGreaterThan(0);
  expect(await textAt(visitor, "/dashboard/deployments")).toContain("Your server runs version 1");
  const applied = await visitor.post(`${here}/versions`, { applied: "3", back: "deployment" });
  expect(applied.headers.get("location")).toBe(here);
  expect(await textAt(visitor, here)).not.toContain("not on your server");
});

testInProof("what reaches no server asks for nothing", async () => {
  const visitor = await customer("pro");
  const id = await storeDeployment(email, fullOptions());
  const here = `/dashboard/deployments/${id}`;
  await visitor.post(`${here}/versions`, { applied: "1" });
  await storeVersion(email, id, { ...fullOptions(), secrets: "browser" }, 1);
  expect(await textAt(visitor, here)).not.toContain("not on your server");
  expect(await textAt(visitor, `${here}/versions`)).toContain("There is nothing to do.");
  await visitor.post(`${here}/versions`, { applied: "none" });
  await storeVersion(email, id, { ...fullOptions(), size: "large" }, 2);
  expect(await textAt(visitor, here)).not.toContain("not on your server");
});

testInProof("a version that does not exist is neither noted nor applied", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  for (const fields of [
    { applied: "2" },
    { applied: "-1" },
    { applied: "1e3" },
    { applied: "" },
    { noted: "2", note: "x" },
    { noted: "", note: "x" },
    { restore: "" },
    {},
  ] as Record<string, string>[]) {
    const answer = await visitor.post(`/dashboard/deployments/${id}/versions`, fields);
    expect.soft([fields, answer.status]).toEqual([fields, 404]);
  }
});
