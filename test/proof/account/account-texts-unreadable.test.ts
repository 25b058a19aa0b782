import { beforeAll, expect, test } from "vitest";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { startWorkerWithout } from "../../support/site/worker-without.ts";

beforeAll(resetFakes);

test("while the texts of the account page cannot be read, it says so, and signing out works", async () => {
  await using worker = await startWorkerWithout("/account-page-");
  const owner = new Visitor(worker.url);
  await owner.signInWithGoogle("customer.one@example.com");
  const page = await owner.request("/dashboard/account");
  expect(page.status).toBe(503);
  expect(await page.text()).toContain("Your account cannot be shown right now.");
  expect((await owner.request("/dashboard")).status).toBe(200);
  await owner.post("/signout", {});
  expect((await owner.request("/dashboard")).status).toBe(302);
});
