import { beforeAll, expect, test } from "vitest";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { startWorkerWithout } from "../../support/site/worker-without.ts";

const email = "customer.one@example.com";

beforeAll(resetFakes);

test("while the scripts cannot be read, what needs them says so, and the rest works", async () => {
  await using worker = await startWorkerWithout("/bundle-scripts-");
  const owner = new Visitor(worker.url);
  await owner.signInWithGoogle(email);
  const options = fullOptions();
  const id = await storeDeployment(email, options);
  await storeVersion(email, id, { ...options, ingress: "none" }, 1);
  const page = `/dashboard/deployments/${id}`;
  const needing = [
    "/dashboard/deployments",
    page,
    `${page}/versions`,
    `${page}/files/livekit.yaml`,
    `${page}/bundle.zip`,
  ];
  for (const path of needing) {
    const response = await owner.request(path);
    expect([path, response.status]).toEqual([path, 503]);
    expect(await response.text(), path).toContain("Your deployments cannot be read right now.");
  }
  for (const path of [`${page}/edit`, `${page}/connect`]) {
    expect([path, (await owner.request(path)).status]).toEqual([path, 200]);
  }
});
