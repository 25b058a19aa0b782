import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { expect, test, vi } from "vitest";
import { testRoomPrefix } from "../../app/features/deployments/test-room/room-name.ts";
import {
  backupsOn,
  type Machine,
  machine,
  runningMachine,
} from "../support/deployments/machine.ts";
import { certify } from "../support/deployments/turn-server.ts";

vi.setConfig({ testTimeout: 60_000 });

const deploy = (server: Machine, ...args: readonly string[]) => server.run("livekit-deploy", args);
const secretsOf = (server: Machine) => server.read("opt/livekit/secrets.env");

test("rooms counts who is in calls and what is recorded, and names nobody", () => {
  using server = runningMachine({ recording: { kind: "local" } });
  server.set("people", "3");
  server.set("recordings", "one");
  expect(deploy(server, "rooms")).toEqual({ status: 0, output: "In calls: 3. Recordings: 1.\n" });
});

test("drain waits until nobody is in a call, and stops nothing", () => {
  using server = runningMachine({ drain: { minutes: 15 } });
  expect(deploy(server, "drain")).toEqual({
    status: 0,
    output: "Nobody is in a call, and nothing is recorded. New rooms can begin at any time.\n",
  });
  using busy = runningMachine({ drain: { minutes: 0 } });
  busy.set("people", "2");
  const { status, output } = deploy(busy, "drain");
  expect([status, output]).toEqual([1, "Somebody is still in a call.\n"]);
  for (const { calls } of [server, busy]) expect(calls()).not.toContain("compose stop");
});

test("logs of a service around a time are those of five minutes before and after it, with their times", () => {
  using server = runningMachine({});
  const at = Date.parse("2026-11-28T03:12:00Z") / 1_000;
  const around = `docker compose logs --no-color --timestamps --since ${at - 300} --until ${at + 300}`;
  for (const args of [
    ["livekit", "--around", "2026-11-28T03:12Z"],
    ["--around", "2026-11-28 03:12 UTC", "livekit"],
  ]) {
    server.forget();
    expect(deploy(server, "logs", ...args)).toMatchObject({ status: 0 });
    expect(server.calls()).toContain(`${around} livekit\n`);
  }
  server.forget();
  deploy(server, "logs", "--around", "2026-11-28T03:12Z");
  expect(server.calls()).toContain(`${around}\n`);
  server.forget();
  deploy(server, "logs", "caddy");
  expect(server.calls()).toContain("docker compose logs --no-color --tail 200 caddy\n");
  for (const args of [
    ["livekit", "--around"],
    ["--around", "yesternight", "livekit"],
  ]) {
    expect(deploy(server, "logs", ...args)).toEqual({
      status: 64,
      output: "Write the time as 2026-11-28T03:12Z: logs [SERVICE] --around TIME\n",
    });
  }
});

test("one service is restarted alone, in a quiet moment or at once", () => {
  using server = runningMachine({ recording: { kind: "local" }, drain: { minutes: 0 } });
  server.forget();
  expect(deploy(server, "restart", "egress").output).toContain("egress was restarted.");
  expect(server.calls()).toContain("docker compose up -d --no-deps --force-recreate egress\n");
  expect(server.calls()).not.toContain("compose stop");
  server.set("people", "1");
  expect(deploy(server, "restart", "redis")).toMatchObject({
    status: 1,
    output: expect.stringContaining("redis was not restarted. With --now it is restarted at once."),
  });
  expect(deploy(server, "restart", "redis", "--now")).toMatchObject({ status: 0 });
  expect(deploy(server, "restart", "nginx")).toMatchObject({
    status: 64,
    output: expect.stringContaining("There is no service nginx. There are: "),
  });
});

test("a test call says why nobody can join, or makes two tokens, and puts none into an address", () => {
  using server = runningMachine();
  const { status, output } = deploy(server, "test-call");
  expect(status).toBe(0);
  expect(output).toContain("LiveKit URL   wss://livekit.example.com\n");
  expect(output).not.toMatch(/https?:\S*eyJ/);
  const subjects = [...output.matchAll(/^Token \w+ +\S+?\.(\S+)\.\S+$/gm)].map(
    ([, claims = ""]) => JSON.parse(Buffer.from(claims, "base64url").toString()).sub,
  );
  expect(subjects).toEqual(["one", "two"]);
  const [, secret = ""] = /^LIVEKIT_API_SECRET=(.*)$/m.exec(secretsOf(server)) ?? [];
  expect(output + server.calls()).not.toContain(secret);
  server.set("join-refused", "LiveKit answered 401 Unauthorized");
  expect(deploy(server, "test-call")).toEqual({
    status: 1,
    output:
      "A client cannot join: LiveKit answered 401 Unauthorized. Next: sudo livekit-deploy doctor\n",
  });
});

test("backups and version list what there is", () => {
  using server = runningMachine();
  expect(deploy(server, "backups").output).toContain("  none\n");
  deploy(server, "backup");
  const [name = ""] = backupsOn(server);
  expect(name).toMatch(/^livekit-/);
  expect(deploy(server, "backups").output).toContain(name);
  const { output } = deploy(server, "version");
  expect(output).toMatch(/^livekit\/livekit-server:v\d/m);
  expect(output).toMatch(/^redis:\d/m);
});

test("a new Redis password and a new secret of webhooks replace only themselves", () => {
  using server = runningMachine({ webhooks: ["https://app.example.com/hook"] });
  const names = ["REDIS_PASSWORD", "WEBHOOK_SECRET"] as const;
  for (const [command, changed] of [
    ["redis", names[0]],
    ["webhook", names[1]],
  ] as const) {
    const before = secretsOf(server).split("\n").sort();
    const { status, output } = deploy(server, "rotate", command);
    expect(status).toBe(0);
    expect(output).toContain("sudo livekit-deploy restart");
    const after = secretsOf(server).split("\n").sort();
    const fresh = after.filter((line) => !before.includes(line));
    expect(fresh).toEqual([expect.stringMatching(new RegExp(`^${changed}=\\w{43}$`))]);
    expect(after).toHaveLength(before.length);
    expect(output).not.toContain(fresh[0]?.split("=")[1]);
  }
  using elsewhere = runningMachine({
    redis: { kind: "external", address: "redis.example.net:6379" },
  });
  for (const command of ["redis", "webhook"])
    expect(deploy(elsewhere, "rotate", command)).toMatchObject({
      status: 1,
      output: expect.stringContaining("Nothing was changed."),
    });
});

test("a webhook is added and removed in livekit.yaml, and the last one stays", () => {
  using server = runningMachine({ webhooks: ["https://app.example.com/hook"] });
  const yaml = () => server.read("opt/livekit/livekit.yaml");
  const before = yaml();
  const more = "https://app.example.com/other?v=2";
  expect(deploy(server, "webhook", "add", more)).toMatchObject({ status: 0 });
  expect(yaml().split("\n").length).toBe(before.split("\n").length + 1);
  expect(yaml()).toMatch(/^ {2}urls:\n {4}- https:\/\/app\.example\.com\/other\?v=2\n/m);
  expect(deploy(server, "webhook", "add", more).output).toContain("is there already.");
  expect(server.run("check")).toMatchObject({ status: 0 });
  expect(deploy(server, "webhook", "remove", more)).toMatchObject({ status: 0 });
  expect(yaml()).toBe(before);
  for (const [args, status] of [
    [["remove", "https://app.example.com/hook"], 1],
    [["remove", "https://app.example.com/none"], 1],
    [["add", "https://a.example.com/ x"], 64],
    [["add", "https://a.example.com/'x"], 64],
    [["add", "https://a.example.com:"], 64],
    [["add", "file:///etc/passwd"], 64],
    [["add"], 64],
  ] as const)
    expect(deploy(server, "webhook", ...args).status, args.join(" ")).toBe(status);
  expect(yaml()).toBe(before);
  using without = runningMachine();
  expect(deploy(without, "webhook", "add", more).output).toContain("has no webhooks.");
});

test("the file for support holds no secret, no name of a person or a room, and no address of theirs", () => {
  using server = runningMachine({
    recording: { kind: "s3", bucket: "rec", region: "eu-west-1" },
    webhooks: ["https://app.example.com/hook?key=canary-of-a-query"],
  });
  server.run("livekit-deploy", ["set", "storage-keys"], "AKIACANARY\ncanary-of-storage/+=\n");
  server.write("opt/livekit/agent.env", "OPENAI_API_KEY=sk-canary-of-an-agent\n", 0o600);
  server.write("opt/livekit/enrolment-token", "canary-of-enrolment\n", 0o600);
  const secret = /^LIVEKIT_API_SECRET=(.*)$/m.exec(secretsOf(server))?.[1] ?? "";
  const canaries = [
    ...secretsOf(server)
      .trim()
      .split("\n")
      .map((line) => line.slice(line.indexOf("=") + 1).replaceAll("'", "")),
    ...["canary-of-a-query", "sk-canary-of-an-agent", "canary-of-enrolment"],
    ...["canary-room", "canary-person", "canary@example.org", "192.0.2.77", "2001:db8::77"],
  ];
  const token = `eyJhbGciOiJIUzI1NiJ9.${btoa("canary-person")}.c2lnbmF0dXJl`;
  server.set(
    "livekit-log",
    `${[
      {
        level: "error",
        msg: "could not join",
        room: "canary-room",
        participant: "canary-person",
        remote: "192.0.2.77",
        error: `no room "canary-room" for canary@example.org at 192.0.2.77`,
      },
      { level: "info", msg: `got ${token} by ${secret}` },
    ]
      .map((entry) => JSON.stringify(entry))
      .join(
        "\n",
      )}\nplain text of 192.0.2.77 and [2001:db8::77] at https://canary-of-a-query@app.example.com/canary-room\n`,
  );
  server.set("journal", `livekit-report: sent with ${secret} for canary@example.org\n`);
  const { status, output } = deploy(server, "support");
  expect(status).toBe(0);
  expect(output).toContain("Read it before you send it");
  const file = "opt/livekit/state/support.txt";
  expect(server.mode(file)).toBe("600");
  const text = server.read(file);
  for (const canary of canaries) expect(text).not.toContain(canary);
  expect(text).not.toContain(btoa("canary-person"));
  for (const words of [
    "DOMAIN='livekit.example.com'",
    "== Log of livekit\nerror could not join",
    "livekit-report: sent with [secret] for [mail address]",
    "== Doctor\n",
  ])
    expect(text).toContain(words);
});

const apiKey = "APIabcdefghijkl";
const apiSecret = "s".repeat(43);
const name = "livekit.example.com";
const python = spawnSync("sh", ["-c", "PATH=/usr/bin:$PATH command -v python3"], {
  encoding: "utf8",
}).stdout.trim();

async function runCall(args: readonly string[], more: Record<string, string> = {}) {
  using server = machine();
  const child = spawn(python, [server.path("opt/livekit/bin/call.py"), ...args], {
    env: { ...process.env, ...more },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  // A command that ends without reading its input closes the pipe, and writing to it fails (EPIPE).
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${apiKey}\n${apiSecret}\n`);
  const [status] = await once(child, "close");
  return { status, output };
}

/** The claims of a token that this secret signed. */
function claimsOf(token: string): Record<string, unknown> {
  const [head, claims = "", signature] = token.split(".");
  const signed = createHmac("sha256", apiSecret).update(`${head}.${claims}`).digest("base64url");
  expect(signature).toBe(signed);
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}

test("a token lets one name into one room for ten minutes", async () => {
  const { status, output } = await runCall(["token", "stand-up", "Ada L."]);
  expect(status).toBe(0);
  const claims = claimsOf(output.trim());
  expect(claims).toEqual({
    iss: apiKey,
    sub: "Ada L.",
    nbf: expect.any(Number),
    exp: expect.any(Number),
    video: { room: "stand-up", roomJoin: true },
  });
  expect(Number(claims.exp) - Number(claims.nbf)).toBe(610);
});

test("the token of a connection test joins a hidden room of a test for a day, and may do nothing there", async () => {
  const { status, output } = await runCall(["test-token"]);
  expect(status).toBe(0);
  const claims = claimsOf(output.trim());
  expect(claims).toEqual({
    iss: apiKey,
    sub: "connection-test",
    nbf: expect.any(Number),
    exp: expect.any(Number),
    video: {
      room: expect.stringMatching(new RegExp(`^${testRoomPrefix}-[0-9a-f-]{36}$`)),
      roomJoin: true,
      hidden: true,
      canPublish: false,
      canSubscribe: false,
      canPublishData: false,
    },
  });
  expect(Number(claims.exp) - Number(claims.nbf)).toBe(86_410);
});

test("livekit-deploy test-token prints one token, made with the server's key", () => {
  using server = runningMachine();
  const { status, output } = deploy(server, "test-token");
  expect(status).toBe(0);
  const [key] = /LIVEKIT_API_KEY='?(\w+)/.exec(secretsOf(server))?.slice(1) ?? [];
  const [, claims = ""] = output.trim().split(".");
  expect(JSON.parse(Buffer.from(claims, "base64url").toString()).iss).toBe(key);
});

/** A LiveKit that lists a room with a hostile name, for a token that allows it; answers what it was asked for. */
async function listingServer(status = 200) {
  const requests: { method: string; url: string; claims: unknown }[] = [];
  const server = createHttpServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const claims = claimsOf((headers.authorization ?? "").replace("Bearer ", ""));
    requests.push({ method, url, claims });
    const rooms = [
      { sid: "RM_other", name: "other" },
      { sid: "RM_k3KR8L8i5SJd", name: "'; touch /tmp/x; \u2028" },
    ];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ rooms }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    place: `127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

const toListAndEnd = { roomList: true, roomCreate: true };

test("the token of live rooms lists rooms and ends them for five minutes, and joins none", async () => {
  const { status, output } = await runCall(["rooms-token", "127.0.0.1:7880"]);
  expect(status).toBe(0);
  const claims = claimsOf(output.trim());
  expect(claims).toEqual({
    iss: apiKey,
    sub: "live-rooms",
    nbf: expect.any(Number),
    exp: expect.any(Number),
    video: toListAndEnd,
  });
  expect(Number(claims.exp) - Number(claims.nbf)).toBe(310);
});

test("with the sid of a room the token is for its people too, by the name that LiveKit says", async () => {
  await using server = await listingServer();
  const { status, output } = await runCall(["rooms-token", server.place, "RM_k3KR8L8i5SJd"], {
    // No proxy stands between a machine and itself.
    http_proxy: "http://127.0.0.1:9",
  });
  expect(status).toBe(0);
  expect(claimsOf(output.trim()).video).toEqual({
    ...toListAndEnd,
    roomAdmin: true,
    room: "'; touch /tmp/x; \u2028",
  });
  expect(server.requests).toMatchObject([
    { method: "POST", url: "/twirp/livekit.RoomService/ListRooms" },
  ]);
  expect(server.requests[0]?.claims).toMatchObject({ video: { roomList: true } });
});

test("a room that ended, and a LiveKit that does not answer, are said so in place of a token", async () => {
  await using server = await listingServer();
  expect(await runCall(["rooms-token", server.place, "RM_gone"])).toEqual({
    status: 1,
    output: "There is no such room any more.\n",
  });
  await using broken = await listingServer(503);
  const { status, output } = await runCall(["rooms-token", broken.place, "RM_k3KR8L8i5SJd"]);
  expect([status, output]).toEqual([
    1,
    expect.stringContaining("LiveKit does not say which rooms"),
  ]);
});

test.each(["dash", "busybox sh"] as const)(
  "livekit-deploy rooms-token prints one token of the server's key, and takes a sid alone (%s)",
  (shell) => {
    using server = runningMachine({}, undefined, shell);
    const { status, output } = deploy(server, "rooms-token");
    expect(status).toBe(0);
    expect(output).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const [key] = /LIVEKIT_API_KEY='?(\w+)/.exec(secretsOf(server))?.slice(1) ?? [];
    const { iss, video } = JSON.parse(
      Buffer.from(output.split(".")[1] ?? "", "base64url").toString(),
    );
    expect([iss, video]).toEqual([key, toListAndEnd]);
    for (const sid of ["", "stand-up", "--help", "$(id)"]) {
      const refused = deploy(server, "rooms-token", sid);
      expect([sid, refused.status, refused.output]).toEqual([
        sid,
        64,
        expect.stringContaining("rooms-token [ROOM-SID]"),
      ]);
    }
  },
);

/** A binary message of a WebSocket, as the one with which LiveKit lets a client in. */
const joined = Buffer.from([0x82, 2, 0x0a, 0]);
const switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

/** What `join` says of a server that answers a request like this, and the requests that it received. */
async function joining(answer: Buffer | string, trusted = true) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "call-"));
  certify(folder.path, name);
  const read = (file: string) => readFileSync(join(folder.path, file));
  const requests: string[] = [];
  const server = createServer({ key: read("key.pem"), cert: read("certificate.pem") }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (part) => {
      requests.push(part.toString());
      if (answer === "") socket.end();
      else socket.write(answer);
    });
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const outcome = await runCall(
    ["join", `127.0.0.1:${port}=${name}`, "test"],
    trusted ? { SSL_CERT_FILE: join(folder.path, "authority.pem") } : {},
  );
  server.close();
  return { ...outcome, requests, port };
}

test("a client joins where LiveKit answers a token with its room", async () => {
  const { status, output, requests } = await joining(
    Buffer.concat([Buffer.from(switching), joined]),
  );
  expect([status, output]).toEqual([0, "joined\n"]);
  const [, token = ""] = /^GET \/rtc\?access_token=([^&]+)&/.exec(requests[0] ?? "") ?? [];
  expect(claimsOf(token)).toMatchObject({ sub: "livekit-deploy", video: { room: "test" } });
});

test.each([
  [
    "the token is refused",
    "HTTP/1.1 401 Unauthorized\r\n\r\n",
    "LiveKit answered 401 Unauthorized",
  ],
  ["LiveKit ends the connection", "", "LiveKit ended the connection without an answer"],
  [
    "no room follows",
    Buffer.concat([Buffer.from(switching), Buffer.from([0x88, 0])]),
    "LiveKit took the token and sent no room",
  ],
] as const)("nobody joins where %s, and the reason is said", async (_, answer, reason) => {
  const { status, output } = await joining(answer);
  expect([status, output]).toEqual([1, `${reason}\n`]);
});

test("a certificate that nobody vouches for is named", async () => {
  const { status, output, requests } = await joining(switching, false);
  expect(status).toBe(1);
  expect(output).toContain(`the certificate of ${name} is not valid`);
  expect(requests).toEqual([]);
});

test("where nothing listens it is said, and a wrong command is refused", async () => {
  const { port } = await joining("");
  const silent = await runCall(["join", `127.0.0.1:${port}=${name}`, "test"]);
  expect(silent).toMatchObject({ status: 1 });
  expect(silent.output).toContain(`nothing answers at ${name}, port ${port}`);
  expect(await runCall(["join", "nowhere", "test"])).toMatchObject({ status: 64 });
});
