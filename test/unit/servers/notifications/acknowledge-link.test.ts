import { expect, test } from "vitest";
import {
  acknowledgeAddress,
  readLink,
} from "~/features/servers/notifications/acknowledge-link.server.ts";
import { begin } from "../../../support/servers/incident-step.ts";

const secrets = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
const env = (secret: string | undefined) => ({
  ...{ SITE_URL: "https://site.example", SUPPORT_EMAIL: "help@site.example" },
  SERVER_KEY_SECRET: secret,
});
const content = {
  workspace: "11111111-1111-4111-8111-111111111111",
  channel: "22222222-2222-4222-8222-222222222222",
  incident: "33333333-3333-4333-8333-333333333333",
  at: begin,
};

async function linkOf(
  of = content as Parameters<typeof acknowledgeAddress>[1],
  secret = secrets[0],
) {
  const address = new URL((await acknowledgeAddress(env(secret), of)) ?? "");
  expect(address.pathname).toBe("/acknowledge");
  return address.searchParams.get("link") ?? "";
}

test("a link says workspace, channel, incident and time, or all incidents", async () => {
  expect(await readLink(env(secrets[0]), await linkOf())).toEqual(content);
  const all = { ...content, incident: undefined };
  expect(await readLink(env(secrets[0]), await linkOf(all))).toEqual(all);
});

test("a link that was changed, or made with another secret, says nothing", async () => {
  const link = await linkOf();
  for (const [at, other] of [
    [0, "B"],
    [30, "_"],
    [60, "-"],
    [80, "x"],
  ] as const) {
    const changed = link.slice(0, at) + (link[at] === other ? "A" : other) + link.slice(at + 1);
    expect(await readLink(env(secrets[0]), changed)).toBeUndefined();
  }
  expect(await readLink(env(secrets[0]), await linkOf(content, secrets[1]))).toBeUndefined();
  for (const broken of ["", "abc", `${link}A`, "%", "é".repeat(86)]) {
    expect(await readLink(env(secrets[0]), broken)).toBeUndefined();
  }
});

test("a link of before stays good when the secret is changed", async () => {
  expect(await readLink(env(`${secrets[1]},${secrets[0]}`), await linkOf())).toEqual(content);
});
