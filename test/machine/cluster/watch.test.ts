import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listeningPort } from "../../support/deployments/cluster/listening-port.ts";
import { redisServer } from "../../support/deployments/cluster/redis-server.ts";

const program = "app/features/deployments/bundle/scripts/cluster.py";
const password = "p".repeat(43);

/** LiveKit's own figures, of a process that a test lets end and begin. */
async function liveKit() {
  const state = { startedAt: 1_700_000_000, asked: 0 };
  const server = createServer((_, response) => {
    state.asked++;
    response.end(`process_start_time_seconds ${state.startedAt}\n`);
  });
  const port = await listeningPort(server);
  const listen = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const leave = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    port,
    /** Until it was asked so many times more. */
    async turns(count = 3) {
      const until = state.asked + count;
      await vi.waitUntil(() => state.asked >= until, { timeout: 30_000, interval: 5 });
    },
    async restart() {
      await leave();
      state.startedAt += 100;
      await listen();
    },
    leave,
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await leave();
    },
  };
}

/** The program as its unit runs it on a machine for calls, with short pauses. */
async function watched() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "livekit-watch-"));
  const redis = await redisServer(password);
  const livekit = await liveKit();
  const here = join(folder.path, "opt/livekit");
  mkdirSync(join(here, "state"), { recursive: true });
  writeFileSync(join(here, ".env"), "COMPOSE_PROFILES='media'\nEDGE_ADDRESS='127.0.0.1'\n");
  writeFileSync(join(here, "secrets.env"), `LIVEKIT_API_KEY=x\nREDIS_PASSWORD='${password}'\n`);
  const docker = join(folder.path, "docker");
  writeFileSync(docker, `#!/bin/sh\necho "$*" >>"${folder.path}/calls"\n`);
  chmodSync(docker, 0o755);
  const child = spawn(
    "python3",
    [program, "watch", String(redis.port), String(livekit.port), "0.02"],
    {
      env: {
        ...process.env,
        PATH: `${folder.path}:${process.env.PATH}`,
        LIVEKIT_DEPLOY_ROOT: folder.path,
      },
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const calls = () => {
    const file = join(folder.path, "calls");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };
  const made = {
    redis,
    livekit,
    here,
    calls,
    output: () => output,
    /** Until it has asked Redis so many times more, each time with all that follows from the answer but the last. */
    async turns(count = 4) {
      const until = redis.state.asked + count;
      await vi.waitUntil(() => redis.state.asked >= until, { timeout: 30_000, interval: 5 });
    },
    restarted: () => vi.waitUntil(() => calls().length >= 2, { timeout: 30_000, interval: 5 }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "close");
      await redis[Symbol.asyncDispose]();
      await livekit[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
  await made.turns();
  return made;
}

const killedAndStarted = ["compose kill -s KILL livekit", "compose start livekit"];

test("a Redis that lost its data has LiveKit killed and started, once", async () => {
  await using machine = await watched();
  expect(machine.calls()).toEqual([]);
  machine.redis.empty();
  await machine.restarted();
  await machine.livekit.restart();
  await machine.turns();
  expect(machine.calls()).toEqual(killedAndStarted);
  expect(machine.output()).toContain("Redis has lost its data");
});

test("a Redis that comes back empty after it was away does the same", async () => {
  await using machine = await watched();
  await machine.redis.leave();
  machine.redis.empty();
  await machine.redis.comeBack();
  await machine.restarted();
  expect(machine.calls().slice(0, 2)).toEqual(killedAndStarted);
});

test("a Redis that is away, loads, or refuses the password for a time, and has its data, changes nothing", async () => {
  await using machine = await watched();
  await machine.redis.leave();
  await machine.redis.comeBack();
  await machine.turns();
  machine.redis.state.loading = true;
  await vi.waitUntil(() => machine.output().includes("LOADING"), { timeout: 30_000 });
  machine.redis.state.loading = false;
  await machine.turns();
  writeFileSync(join(machine.here, "secrets.env"), "REDIS_PASSWORD=another\n");
  await machine.redis.leave();
  await machine.redis.comeBack();
  await vi.waitUntil(() => machine.output().includes("WRONGPASS"), { timeout: 30_000 });
  writeFileSync(join(machine.here, "secrets.env"), `REDIS_PASSWORD=${password}\n`);
  await machine.turns();
  expect(machine.calls()).toEqual([]);
  expect(machine.output()).not.toContain(password);
});

test("a LiveKit that began after the loss has only rooms that Redis knows: it goes on", async () => {
  await using machine = await watched();
  await machine.redis.leave();
  machine.redis.empty();
  await machine.livekit.restart();
  await vi.waitUntil(() => machine.output().includes("Redis of the edge: "), { timeout: 30_000 });
  await machine.livekit.turns();
  await machine.redis.comeBack();
  await machine.turns();
  expect(machine.calls()).toEqual([]);
});

test("each new process has its own first value: a later loss is one for it too", async () => {
  await using machine = await watched();
  await machine.livekit.restart();
  await machine.turns();
  machine.redis.empty();
  await machine.restarted();
  expect(machine.calls().slice(0, 2)).toEqual(killedAndStarted);
});

test("a LiveKit that drains is killed, and not started: its machine is to stop", async () => {
  await using machine = await watched();
  writeFileSync(join(machine.here, "state/draining"), "1\n");
  machine.redis.empty();
  await vi.waitUntil(() => machine.calls().length > 0, { timeout: 30_000, interval: 5 });
  await machine.turns();
  expect(machine.calls()[0]).toBe("compose kill -s KILL livekit");
  expect(machine.calls()).not.toContain("compose start livekit");
});

/** The program's answer to a question of the doctor's or of a join. */
async function answered(args: readonly string[], input = "") {
  const child = spawn("python3", [program, ...args]);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stdin.end(input);
  const [status] = await once(child, "close");
  return { status, output };
}

test("redis says in one word how the edge's is, and how far its clock is away; the password comes by the input", async () => {
  await using redis = await redisServer(password);
  const ask = (word: string) => answered(["redis", `127.0.0.1:${redis.port}`], `${word}\n`);
  const apart = async () => {
    const { status, output } = await ask(password);
    expect([status, output]).toEqual([0, expect.stringMatching(/^ok -?\d+\.\d\n$/)]);
    return Math.abs(Number(output.slice(3)));
  };
  // A busy machine takes some seconds for the question itself.
  expect(await apart()).toBeLessThan(10);
  redis.state.secondsAhead = 90;
  expect(await apart()).toBeGreaterThan(80);
  expect((await ask("another")).output).toBe("refused\n");
  expect((await ask("")).output).toBe("refused\n");
  redis.state.loading = true;
  expect((await ask(password)).output).toBe("loading\n");
  await redis.leave();
  expect((await ask(password)).output).toBe("silent\n");
});

test("reach says of each port whether somebody listens", async () => {
  await using redis = await redisServer(password);
  await using other = await redisServer(password);
  await other.leave();
  const [open, closed] = [`127.0.0.1:${redis.port}`, `127.0.0.1:${other.port}`];
  expect(await answered(["reach", open, closed, open])).toEqual({
    status: 0,
    output: `${open} ok\n${closed} silent\n${open} ok\n`,
  });
  expect((await answered(["reboot"])).status).toBe(64);
});
