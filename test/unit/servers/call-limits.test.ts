import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sha256Hex } from "~/http/hashes.ts";
import { keyAround, newToken } from "../../../app/features/servers/ingest/credentials.server.ts";
import { answerMachine } from "../../../app/features/servers/ingest/endpoints.server.ts";
import { answerPage, newTicket } from "../../../app/features/servers/live/endpoint.server.ts";
import { machine, reportText } from "../../support/servers/report-lines.ts";

const secret = Buffer.alloc(32, 1).toString("base64");
const siteUrl = "https://www.example.com";
const workspace = "44444444-4444-4444-8444-444444444444";

/** A limit of the Worker's configuration, within one minute. */
function limitOf(name: string) {
  const configuration = readFileSync("workers/servers/wrangler.toml", "utf8");
  const form = new RegExp(`"${name}"\n.*\nsimple = \\{ limit = (\\d+), period = 60 \\}`);
  const most = Number(form.exec(configuration)?.[1]);
  const counts = new Map<string, number>();
  return {
    limit: async ({ key }: { key: string }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= most };
    },
  };
}

/** What surrounds the Worker within one minute, its keys and tokens ended; `asked`: how often an object was asked. */
function surroundings() {
  const requests = { times: 0 };
  const answering = (answer: unknown) => async () => {
    requests.times += 1;
    return answer;
  };
  const fleet = {
    report: answering({ outcome: "key-revoked" }),
    disconnect: answering({ refused: "key-revoked" }),
    enrol: answering({ refused: "token-ended" }),
    fetch: answering(new Response(null, { status: 204 })),
  };
  const env = {
    ...{ SERVER_KEY_SECRET: secret, SITE_URL: siteUrl },
    MACHINE_LIMIT: limitOf("MACHINE_LIMIT"),
    CREDENTIAL_LIMIT: limitOf("CREDENTIAL_LIMIT"),
    FLEETS: { getByName: () => fleet },
  } as unknown as ServersEnv;
  return { env, asked: requests };
}

type Call = { path: string; credential: string; address: string; body: string | ReadableStream };

function call(env: ServersEnv, { path, credential, address, body }: Call): Promise<Response> {
  const headers = { authorization: `Bearer ${credential}`, "cf-connecting-ip": address };
  const init = { method: "POST", headers, body, ...{ duplex: "half" } };
  return answerMachine(new Request(`https://servers.example.com${path}`, init), env);
}

test("machines of one /64 are counted together, whatever address of it each call comes from", async () => {
  const { env } = surroundings();
  const statusAt = async (address: string) =>
    (await call(env, { path: "/v1/report", credential: "", address, body: "" })).status;
  for (let at = 1; at <= 1_200; at += 1) {
    expect(await statusAt(`2001:db8:1:2::${at.toString(16)}`)).toBe(401);
  }
  expect(await statusAt("2001:db8:1:2:ffff::1")).toBe(429);
  expect(await statusAt("2001:db8:1:3::1")).toBe(401);
});

async function newKey(): Promise<string> {
  const letters = "x".repeat(43);
  const server = crypto.randomUUID();
  const key = { workspace, server, keyHash: await sha256Hex(letters) };
  const { prefix, tag } = await keyAround([secret], key);
  return `${prefix}${letters}_${tag}`;
}

const introduction = [
  ["key-hash", "0".repeat(64)],
  ["machine", machine.machine],
  ["instance", machine.instance],
  ["name", "sfu-1"],
].map((line) => `${line.join(" ")}\n`);

test.for([
  ["key", "/v1/report", reportText(), newKey],
  ["key", "/v1/disconnect", introduction.join(""), newKey],
  [
    "token",
    "/v1/enrol",
    introduction.join(""),
    async () => (await newToken([secret], workspace)).token,
  ],
] as const)(
  "an ended %s that calls %s from many addresses asks no object after a hundred calls, and its body is not read",
  async ([, path, text, made]) => {
    const { env, asked: requests } = surroundings();
    const credential = await made();
    for (let at = 1; at <= 100; at += 1) {
      const { status } = await call(env, {
        path,
        credential,
        address: `192.0.2.${at}`,
        body: text,
      });
      expect(status).toBe(410);
    }
    expect(requests.times).toBe(100);
    let pulled = 0;
    const pull = () => {
      pulled += 1;
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const answer = await call(env, { path, credential, address: "198.51.100.1", body });
    expect([answer.status, requests.times, pulled]).toEqual([429, 100, 0]);
    expect(await answer.text()).toMatch(/^not-before 60$/m);
  },
);

test("fifty machines behind one address introduce themselves with one token and report, all within a minute", async () => {
  const { env, asked: requests } = surroundings();
  const address = "192.0.2.1";
  const { token } = await newToken([secret], workspace);
  for (let at = 1; at <= 50; at += 1) {
    await call(env, { path: "/v1/enrol", credential: token, address, body: introduction.join("") });
    await call(env, {
      path: "/v1/report",
      credential: await newKey(),
      address,
      body: reportText(),
    });
  }
  expect(requests.times).toBe(100);
});

test("one session that asks for sockets from many addresses asks no object after a hundred", async () => {
  const { env, asked: requests } = surroundings();
  const viewer = { session: crypto.randomUUID(), person: crypto.randomUUID() };
  const ticket = await newTicket([secret], { workspace, ...viewer }, Date.now());
  const statusAt = async (address: string) => {
    const headers = {
      ...{ upgrade: "websocket", origin: siteUrl, "cf-connecting-ip": address },
      "sec-websocket-protocol": `livekit-deploy-live, ${ticket}`,
    };
    const request = new Request("https://servers.example.com/v1/live", { headers });
    return (await answerPage(request, env)).status;
  };
  for (let at = 1; at <= 100; at += 1) expect(await statusAt(`192.0.2.${at}`)).toBe(204);
  expect([await statusAt("198.51.100.1"), requests.times]).toEqual([429, 100]);
});
