import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { signatureHeaders } from "../../../app/features/servers/notifications/senders/webhook.server.ts";
import { eventBody } from "../../../app/features/webhooks/event.ts";
import { eventGroups } from "../../../app/features/webhooks/webhook.ts";
import { codeBlocks } from "../../support/documentation/code-blocks.ts";
import { tableOf } from "../../support/documentation/tables.ts";

const page = "docs/workspace-webhooks";
const [event, sample] = codeBlocks(page);

test("the documented event is one that is sent", () => {
  const body = eventBody({
    ...{ id: 4711, at: "2026-11-29T12:00:00+00:00", action: "deployment.saved" },
    actor: "5d1c3a0e-7a55-4a8e-9a5b-1be0c2b7d2aa",
    actor_address: "ada@example.com",
    target: "Production",
    target_id: "0b9b4c5e-6c0f-4d53-9c39-1f2b7a8f0d11",
    before: { monitoring: "basic" },
    after: { monitoring: "advanced" },
  });
  expect(JSON.parse(event?.text ?? "")).toEqual(JSON.parse(body));
});

test("every group of events is documented with what it has", () => {
  const documented = tableOf(page, "What a webhook may be limited to").map(
    ([group = "", subjects = ""]) => [...[group, subjects.split(", ")]],
  );
  expect(Object.fromEntries(documented)).toEqual(eventGroups);
});

type Check = (secret: string, headers: Record<string, string>, body: string) => boolean;

test("the documented check takes what we sign, by either secret while one changes, and nothing else", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "webhook-"));
  const file = join(folder.path, "verify.mts");
  await writeFile(file, sample?.text ?? "");
  const { isOurs } = (await import(pathToFileURL(file).href)) as { isOurs: Check };
  const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
  const [former, newer, other] = [secretOf(1), secretOf(2), secretOf(3)];
  const signed = (at: number, body = "{}") =>
    signatureHeaders([newer, former], { id: "audit_1", at, body });
  const headers = await signed(Date.now());
  expect([former, newer, other].map((each) => isOurs(each, headers, "{}"))).toEqual([
    ...[true, true, false],
  ]);
  expect(isOurs(newer, headers, "{} ")).toBe(false);
  expect(isOurs(newer, { ...headers, "webhook-id": "audit_2" }, "{}")).toBe(false);
  for (const off of [-301_000, 301_000]) {
    expect(isOurs(newer, await signed(Date.now() + off), "{}")).toBe(false);
  }
});
