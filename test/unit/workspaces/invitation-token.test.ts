import { expect, test } from "vitest";
import { invitationIn, invitationToken } from "~/features/workspaces/invitation-token";

const secretOf = (letter: string) => Buffer.from(letter.repeat(32)).toString("base64");
const secrets = { COOKIE_SECRET: [secretOf("n")], FORMER_COOKIE_SECRETS: [] };
const named = { id: "0b1e9f4c-8a4e-4c39-9d0f-00ff7a6b5c4d", send: 2 };

test("the link of an invitation names it and its mail, and its token needs no escaping", async () => {
  const token = await invitationToken(named, secrets);
  expect(token).toMatch(/^[\w-]{66}$/);
  expect(await invitationIn(token, secrets)).toEqual(named);
});

test("the link goes on working after the secret was changed, as long as the former one is named", async () => {
  const token = await invitationToken(named, secrets);
  const changed = { COOKIE_SECRET: [secretOf("x")], FORMER_COOKIE_SECRETS: secrets.COOKIE_SECRET };
  expect(await invitationIn(token, changed)).toEqual(named);
  expect(await invitationIn(token, { ...changed, FORMER_COOKIE_SECRETS: [] })).toBeUndefined();
});

test("a link that was changed in any place names nothing", async () => {
  const token = await invitationToken(named, secrets);
  for (let at = 0; at < token.length; at++) {
    const letter = token[at] === "A" ? "B" : "A";
    const changed = token.slice(0, at) + letter + token.slice(at + 1);
    // The last letter holds two bits more than the signature has.
    const isSame = Buffer.from(changed, "base64url").equals(Buffer.from(token, "base64url"));
    expect(await invitationIn(changed, secrets), `letter ${at}`).toEqual(
      isSame ? named : undefined,
    );
  }
});

test.each(["", "x", "x".repeat(65), "x".repeat(67), " ".repeat(66)])(
  "what is no link of ours names nothing: %j",
  async (token) => {
    expect(await invitationIn(token, secrets)).toBeUndefined();
  },
);
