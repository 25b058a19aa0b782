import { beforeAll, expect, test } from "vitest";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { startWorkerWithoutBundles } from "../../support/site/worker-without-bundles.ts";

const email = "customer.one@example.com";

beforeAll(resetFakes);

test("while no bundles are made, what needs them says so, and the rest works", async () => {
  await using worker = await startWorkerWithoutBundles();
  const owner = new Visitor(worker.url);
  await owner.signInWithGoogle(email);
  const options = fullOptions();
  const id = await storeDeployment(email, options);
  await storeVersion(email, id, { ...options, ingress: "none" }, 1);
  const page = `/dashboard/deployments/${id}`;
  const needing = [page, `${page}/versions`, `${page}/files/livekit.yaml`, `${page}/bundle.zip`];
  for (const path of needing) {
    const response = await owner.request(path);
    expect([path, response.status]).toEqual([path, 503]);
    expect(await response.text(), path).toContain("Your deployments cannot be read right now.");
  }
  for (const path of ["/dashboard/deployments", `${page}/edit`, `${page}/connect`]) {
    expect([path, (await owner.request(path)).status]).toEqual([path, 200]);
  }
  const health = await owner.request("/healthz");
  expect(await health.json()).toMatchObject({ status: "ok", servers: null });
});

test("while it is not known what a choice changes on a server, the list of deployments says so", async () => {
  await using worker = await startWorkerWithoutBundles();
  const owner = new Visitor(worker.url);
  await owner.signInWithGoogle(email);
  const id = await storeDeployment(email, fullOptions());
  await storeVersion(email, id, { ...fullOptions(), ingress: "none" }, 1);
  await runSql("update deployments set ticks = $1 where id = $2", [
    { dns: { version: 1, at: new Date().toISOString(), how: "hand" } },
    id,
  ]);
  const response = await owner.request("/dashboard/deployments");
  expect(response.status).toBe(503);
  expect(await response.text()).toContain("Your deployments cannot be read right now.");
});
