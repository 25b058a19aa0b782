import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { signatureHeaders } from "../../../../app/features/servers/notifications/senders/webhook.server.ts";
import {
  newWebhookSecret,
  webhookKey,
  webhookSecret,
} from "../../../../app/features/servers/notifications/webhook-secret.ts";

test("a webhook is signed as Standard Webhooks says", async () => {
  const headers = await signatureHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    at: 1_614_265_330_999,
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("a new secret has 32 bytes, is never the same twice, and signs", async () => {
  const [secret, other] = [newWebhookSecret(), newWebhookSecret()];
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(other).not.toBe(secret);
  const headers = await signatureHeaders([secret], { id: "m", at: 5_000, body: "{}" });
  const key = Buffer.from(secret.slice(6), "base64");
  const wanted = createHmac("sha256", key).update("m.5.{}").digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${wanted}`);
});

test("a secret is 24 to 64 bytes in the base64 that every reader takes, and nothing else", () => {
  const isOne = (base64: string) => webhookSecret.safeParse(`whsec_${base64}`).success;
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 80 }), (bytes) => {
      const isRight = bytes.length >= 24 && bytes.length <= 64;
      expect(isOne(Buffer.from(bytes).toString("base64"))).toBe(isRight);
    }),
    { numRuns: 300 },
  );
  const nearly = fc.stringMatching(/^[A-Za-z0-9+/]{30,90}={0,3}$/);
  fc.assert(
    fc.property(nearly, (base64) => {
      if (!isOne(base64)) return;
      const key = webhookKey(`whsec_${base64}`);
      expect(key.length).toBeGreaterThanOrEqual(24);
      expect(key.length).toBeLessThanOrEqual(64);
      expect(Buffer.from(key).toString("base64")).toBe(base64);
    }),
    { numRuns: 500 },
  );
  expect(isOne(`${"A".repeat(33)}B==`)).toBe(false);
  expect(webhookSecret.safeParse(Buffer.alloc(32).toString("base64")).success).toBe(false);
  expect(webhookSecret.safeParse(newWebhookSecret()).success).toBe(true);
});
