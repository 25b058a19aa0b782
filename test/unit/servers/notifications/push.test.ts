import { expect, test } from "vitest";
import { browserName } from "../../../../app/features/servers/notifications/browser-name.ts";
import type { Message } from "../../../../app/features/servers/notifications/channel.ts";
import { push } from "../../../../app/features/servers/notifications/senders/push.server.ts";
import {
  jwkOf,
  maxPlaintext,
  sealed,
} from "../../../../app/features/servers/notifications/senders/push-encryption.ts";
import { fromBase64url, toBase64url } from "../../../../app/http/encodings.ts";
import { answerPush, type Pushed } from "../../../../fakes/alerts/push.ts";
import { PushReceiver } from "../../../support/servers/push-receiver.ts";

/** https://www.rfc-editor.org/rfc/rfc8291#section-5 and its appendix A. */
const vector = {
  plaintext: "When I grow up, I want to be a watermelon",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  receiver: {
    privateKey: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    publicKey:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  },
  sender: {
    privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    publicKey:
      "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  },
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

async function keyPair({ publicKey, privateKey }: typeof vector.sender): Promise<CryptoKeyPair> {
  const ecdh = { name: "ECDH", namedCurve: "P-256" };
  const [open, secret] = await Promise.all([
    crypto.subtle.importKey("raw", fromBase64url(publicKey), ecdh, true, []),
    crypto.subtle.importKey("jwk", jwkOf({ publicKey, privateKey }), ecdh, false, ["deriveBits"]),
  ]);
  return { publicKey: open, privateKey: secret };
}

test("the example of RFC 8291 is sealed byte by byte as there, and our receiver opens it", async () => {
  const { plaintext, auth, receiver, sender, salt, body } = vector;
  const fixed = { keys: await keyPair(sender), salt: fromBase64url(salt) };
  expect(toBase64url(await sealed(plaintext, { p256dh: receiver.publicKey, auth }, fixed))).toBe(
    body,
  );
  const browser = new PushReceiver({ privateKey: receiver.privateKey, auth });
  expect(browser.keys.p256dh).toBe(receiver.publicKey);
  expect(browser.opened(body)).toBe(plaintext);
});

test("each message has keys of its own, is opened by its browser alone, and the longest fits one record", async () => {
  const [browser, other] = [new PushReceiver(), new PushReceiver()];
  const text = "x".repeat(maxPlaintext);
  const bodies = [await sealed(text, browser.keys), await sealed(text, browser.keys)];
  expect(bodies.map(({ byteLength }) => byteLength)).toEqual([4_096, 4_096]);
  const [one = "", two = ""] = bodies.map(toBase64url);
  // Salt and key of ours are its first 86 bytes.
  expect(one.slice(0, 20)).not.toBe(two.slice(0, 20));
  expect(one.slice(30, 114)).not.toBe(two.slice(30, 114));
  expect(browser.opened(one)).toBe(text);
  expect(() => other.opened(one)).toThrow();
});

const settings = {
  SITE_URL: "https://site.example",
  SUPPORT_EMAIL: "support@site.example",
  RESEND_API_URL: "https://mail.example",
  ALERT_MAIL_API_KEY: undefined,
  PAGERDUTY_API_URL: "https://pager.example",
  DNS_API_URL: "https://dns.example",
  WEBHOOK_TEST_ORIGIN: undefined,
  vapid: vector.sender,
};
const at = Date.UTC(2026, 10, 25, 3, 12);
const incident = (name: string) => ({
  ...{ id: crypto.randomUUID(), server: { id: "a1", name }, openedAt: at },
  severity: "page" as const,
  causes: [{ code: "down", subject: "", severity: "page" as const, since: at }],
});
const opened = (...names: string[]): Message => ({
  ...{ id: "m1", at, event: "opened", incidents: names.map(incident) },
  workspace: { name: "Northwind", address: "https://site.example/dashboard/w/northwind" },
});

/** What the push service answered, and what it took. */
async function sent(message: Message, browser: PushReceiver, vapid = settings.vapid) {
  const fields = { url: "https://push.example/push/abc", ...browser.keys };
  const [request] = await push.requests(fields, message, { ...settings, vapid });
  if (!request) throw new Error("Nothing was sent");
  const { url, headers, body } = request;
  const pushed: Pushed[] = [];
  const init = { method: "POST", headers: { ...headers }, body };
  const answer = await answerPush(new Request(url, init), "well", pushed);
  return { status: answer?.status, pushed: pushed[0] };
}

test("a push service takes the message, and the browser reads what happened and where to look", async () => {
  const browser = new PushReceiver();
  const message = opened("media-1");
  const { status, pushed } = await sent(message, browser);
  expect(status).toBe(201);
  expect(pushed?.headers).toMatchObject({
    ...{ urgency: "high", ttl: "86400" },
    topic: message.incidents[0]?.id.replaceAll("-", ""),
  });
  expect(JSON.parse(browser.opened(pushed?.body ?? ""))).toMatchObject({
    ...{ title: "media-1 is down", isUrgent: true },
    url: "https://site.example/dashboard/w/northwind/servers/a1",
    body: expect.stringContaining("What to do:"),
  });
});

test("the longest message fits, whatever its servers are called", async () => {
  const browser = new PushReceiver();
  for (const name of ["🎈".repeat(900), "\u0007".repeat(900), '"\\'.repeat(900)]) {
    const { status, pushed } = await sent(
      opened(...Array.from({ length: 40 }, () => name)),
      browser,
    );
    expect(status).toBe(201);
    expect(JSON.parse(browser.opened(pushed?.body ?? ""))).toHaveProperty("title");
  }
});

test("what is signed by another key than it names is refused by a push service", async () => {
  const { publicKey } = vector.receiver;
  const wrong = { publicKey, privateKey: vector.sender.privateKey };
  await expect(sent(opened("a"), new PushReceiver(), wrong)).rejects.toThrow();
});

test.each([
  [201, undefined, { ok: true }],
  [404, undefined, { ok: false, retry: false, isOver: true }],
  [410, undefined, { ok: false, retry: false, isOver: true }],
  [403, undefined, { ok: false, retry: false }],
  [413, undefined, { ok: false, retry: false }],
  [429, 30_000, { ok: false, retry: true, waitMs: 30_000 }],
  [500, undefined, { ok: false, retry: true }],
] as const)("an answer of %i of a push service", (status, waitMs, wanted) => {
  const outcome = push.outcome({ status, text: "", waitMs });
  expect(outcome).toMatchObject(wanted);
  expect("isOver" in outcome).toBe("isOver" in wanted);
});

test("a browser without keys, and any where push is not set up, is refused", () => {
  const url = "https://fcm.googleapis.com/fcm/send/abc";
  const { keys } = new PushReceiver();
  expect(push.check({ url, ...keys, name: "Chrome on Android" }, settings)).toMatchObject({
    ...{ place: "Chrome on Android", fields: { url, ...keys } },
  });
  for (const wrong of [{ p256dh: "" }, { auth: "x" }, { url: "https://10.0.0.7/x" }]) {
    expect(push.check({ url, ...keys, ...wrong }, settings)).toHaveProperty("refusal");
  }
  expect(push.check({ url, ...keys }, { ...settings, vapid: undefined })).toEqual({
    refusal: "Push is not set up on this site.",
  });
});

test.each([
  [
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/148.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/148.0 Safari/537.36 Edg/148.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on Linux"],
  ["", "a browser"],
])("a browser is called by its name and system: %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
