// LiveKit notifies an application of what happens, signed with a key that a rotation of the API key leaves alone.
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { call } from "./call.ts";
import { keyOf, startMachine } from "./running.ts";

test("webhooks go on under the same key after a rotation that is finished", async () => {
  await using running = await startMachine(
    {},
    { answers: { webhooks: ["https://hooks.example.com/livekit"] } },
  );
  const { machine, world } = running;
  await machine.firstBoot();
  const secret = await secretOfWebhooks();
  await expectHooks(secret);
  await machine.done("livekit-deploy rotate api-key");
  await machine.done("livekit-deploy restart");
  await machine.done("livekit-deploy rotate finish");
  await machine.done("livekit-deploy restart");
  expect(await secretOfWebhooks()).toBe(secret);
  await expectHooks(secret);

  async function secretOfWebhooks(): Promise<string> {
    const output = await machine.done("livekit-deploy credentials");
    return /^Its secret (\S+)$/m.exec(output)?.[1] ?? "";
  }
  /** A call makes its events, and what they are signed with is known. */
  async function expectHooks(secret: string): Promise<void> {
    const before = world.hooks().length;
    const { heard, output } = await call(world, await keyOf(machine));
    expect(heard, output).toBe(true);
    const since = await pollUntil(
      () => world.hooks().slice(before),
      (hooks) => hooks.some(({ event }) => event === "track_published"),
    );
    for (const { token } of since) {
      const [head = "", body = "", signature] = token.replace("Bearer ", "").split(".");
      const ours = createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url");
      expect(signature).toBe(ours);
      expect(JSON.parse(Buffer.from(body, "base64url").toString()).iss).toBe("webhooks");
    }
  }
});
