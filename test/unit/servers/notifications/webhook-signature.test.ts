import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import {
  newWebhookSecret,
  signatureHeaders,
} from "../../../../app/features/servers/notifications/senders/webhook.server.ts";

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
