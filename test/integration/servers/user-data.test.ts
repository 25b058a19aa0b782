import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { callServers, Machine } from "../../support/servers/machine.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  await resetFakes();
  worker = await sharedWorker();
});

/** Presses "Make user data" on the page of a new deployment: what it says, and what is in the user data. */
async function userData() {
  const { browser, page } = await serverCustomer(worker, "pro");
  const html = await (await browser.post(page, { intent: "user-data" })).text();
  const text = html.replaceAll("<wbr/>", "").replaceAll("&quot;", '"');
  const [token = ""] = /lkd_e_\w+/.exec(text) ?? [];
  const [, sha = ""] = /sha="([0-9a-f]{64})"/.exec(text) ?? [];
  return { browser, page, text, token, sha };
}

test("M5: the page makes user data, whose archive the servers Worker makes again byte for byte", async () => {
  const { text, token, sha } = await userData();
  expect(text).toContain("#!/usr/bin/python3 -Wi");
  const init = { method: "POST", headers: { authorization: `Bearer ${token}` }, body: sha };
  for (const _ of ["the first time", "after a lost answer"]) {
    const { status, bytes } = await worker.askServersForBytes("/v1/archive", init);
    expect(status).toBe(200);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha);
  }
  expect(await new Machine(worker).enrol(token)).toMatchObject({ status: 200 });
});

test("M5: an archive is refused for another hash, for a token without files, and for one that was revoked", async () => {
  const { browser, page, token, sha } = await userData();
  const fetchArchive = (credential: string, hash: string) =>
    callServers(worker, "/v1/archive", credential, hash);
  expect(await fetchArchive(token, "0".repeat(64))).toMatchObject({
    status: 409,
    lines: { refused: "archive-changed", say: expect.stringContaining("Make new user data") },
  });
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const terms = { workspace, deployment: crypto.randomUUID(), uses: 1, hours: 72 };
  const typed = await fleets.makeToken(terms);
  expect(await fetchArchive(typed.token, sha)).toMatchObject({ status: 404 });
  const ended = await fleets.makeToken({ ...terms, hours: 0 });
  expect(await fetchArchive(ended.token, sha)).toMatchObject({
    status: 410,
    lines: { refused: "token-ended" },
  });
  await browser.post(page, { intent: "revoke-tokens" });
  expect(await fetchArchive(token, sha)).toMatchObject({
    status: 410,
    lines: { refused: "token-revoked" },
  });
});
