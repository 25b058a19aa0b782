import { type ChildProcess, fork } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { sampleCode, sampleFolder } from "../../support/documentation/samples.ts";

vi.setConfig({ testTimeout: 60_000 });

const key = "APIabcdefghijkl";
const secret = "s".repeat(43);
const webhookSecret = "w".repeat(43);

const base64url = (text: string) => Buffer.from(text).toString("base64url");
const signature = (text: string, by: string) =>
  createHmac("sha256", by).update(text).digest("base64url");

/** Sends the test the port that the sample was given by the system. */
const reportPort = `import { subscribe } from "node:diagnostics_channel";
subscribe("tracing:net.server.listen:asyncEnd", ({ server }) => process.send(server.address().port));
`;

/** A sample that listens, as somebody runs it who copied it. */
async function startSample(page: string, label: string, files: Record<string, string>) {
  const folder = await sampleFolder({
    [label]: sampleCode(page, label),
    "report-port.mjs": reportPort,
    ...files,
  });
  const child: ChildProcess = fork(label, {
    cwd: folder.path,
    execArgv: ["--no-warnings", "--import", "./report-port.mjs"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      ...process.env,
      LIVEKIT_URL: "wss://livekit.example.com",
      LIVEKIT_API_KEY: key,
      LIVEKIT_API_SECRET: secret,
      WEBHOOK_SECRET: webhookSecret,
      PORT: "0",
    },
  });
  const exited = once(child, "exit");
  const output = child.stdout ? text(child.stdout) : Promise.resolve("");
  const complained = child.stderr ? text(child.stderr) : Promise.resolve("");
  const ended = exited.then(async () => Promise.reject(new Error(await complained)));
  ended.catch(() => {});
  const [port] = await Promise.race([once(child, "message"), ended]);
  /** Ends the sample, and answers what it wrote to its standard output. */
  const end = async () => {
    child.kill();
    await exited;
    return output;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    end,
    [Symbol.asyncDispose]: async () => {
      await end();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const signedInAs = (person: object | undefined) => ({
  "session.ts": `export const signedIn = () => (${JSON.stringify(person)});\n`,
});

test("a token of the Node sample is signed with the key, for one person, one room and ten minutes", async () => {
  const ada = { id: "user-7", name: "Ada", room: "standup" };
  await using server = await startSample("tokens", "token-server.ts", signedInAs(ada));
  const answer = await fetch(`${server.url}/api/livekit-token`, { method: "POST" });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const { url, token } = (await answer.json()) as { url: string; token: string };
  expect(url).toBe("wss://livekit.example.com");
  const [head = "", body = "", signature] = token.split(".");
  expect(signature).toBe(
    createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url"),
  );
  const { nbf, exp, ...claims } = JSON.parse(Buffer.from(body, "base64url").toString());
  expect(exp - nbf).toBe(600);
  expect(claims).toEqual({
    iss: key,
    sub: "user-7",
    name: "Ada",
    video: { roomJoin: true, room: "standup", canPublish: true, canSubscribe: true },
  });
});

test("the token sample gives nothing to who is not signed in, and nothing to a GET", async () => {
  await using server = await startSample("tokens", "token-server.ts", signedInAs(undefined));
  const refused = await fetch(`${server.url}/api/livekit-token`, { method: "POST" });
  expect(refused.status).toBe(401);
  expect(await refused.text()).toBe("");
  expect((await fetch(`${server.url}/api/livekit-token`)).status).toBe(404);
});

/** The header that LiveKit v1.13.5 sends with a body: a JWT with the hash of it. */
function authorizationOf(body: string, { by = webhookSecret, now = Date.now() } = {}): string {
  const seconds = Math.floor(now / 1_000);
  const claims = {
    iss: "webhooks",
    nbf: seconds,
    exp: seconds + 300,
    sha256: createHash("sha256").update(body).digest("base64"),
  };
  const parts = [{ alg: "HS256", typ: "JWT" }, claims].map((part) =>
    base64url(JSON.stringify(part)),
  );
  return [...parts, signature(parts.join("."), by)].join(".");
}

test("the webhook sample takes what is signed with its secret, and refuses every other body", async () => {
  const files = {
    "calls.ts": "export const handle = async ({ event, id }) => console.log(event, id);\n",
  };
  await using receiver = await startSample("webhooks", "webhook-receiver.ts", files);
  const body = JSON.stringify({ event: "room_started", id: "EV_1", room: { name: "standup" } });
  const send = async (sent: string, authorization?: string) => {
    const headers = {
      "content-type": "application/webhook+json",
      ...(authorization ? { authorization } : {}),
    };
    return (await fetch(receiver.url, { method: "POST", body: sent, headers })).status;
  };
  expect(await send(body, authorizationOf(body))).toBe(204);
  expect(await send(body.replace("standup", "payroll"), authorizationOf(body))).toBe(401);
  expect(await send(body)).toBe(401);
  expect(await send(body, authorizationOf(body, { by: secret }))).toBe(401);
  expect(await send(body, authorizationOf(body, { now: Date.now() - 600_000 }))).toBe(401);
  expect(await receiver.end()).toBe("room_started EV_1\n");
});
