import { createHmac } from "node:crypto";
import { inject } from "vitest";
import * as z from "zod/mini";
import { measured } from "../../support/run/measured.ts";
import { type CommandResult, outcomeOf } from "./world/commands.ts";
import { startProgram } from "./world/program.ts";
import type { World } from "./world/world.ts";

const path = z.object({
  local: z.string(),
  relay: z.string(),
  protocol: z.string(),
  address: z.string(),
  remote: z.string(),
});
const report = z.object({
  event: z.enum(["media", "silence", "end"]),
  packets: z.number(),
  silenceMs: z.number(),
  firstMs: z.number(),
  publisher: path,
  subscriber: path,
  left: z.string(),
  offered: z.array(z.string()),
  seconds: z.number(),
});
export type Report = z.output<typeof report>;
export type Key = { key: string; secret: string };

export interface CallOptions {
  /** Which of LiveKit's TURN servers the two use; "all" leaves it to them. */
  servers: "all" | "udp" | "tls" | "none";
  /** Whether they refuse direct paths. */
  relay: boolean;
  room: string;
  url: string;
  patience: string;
}

/** A call of two at the client's place. Answers its report; a call in which nothing arrived is no error here. */
export async function call(world: World, key: Key, changes: Partial<CallOptions> = {}) {
  const { status, output } = await outcomeOf(command(world, key, changes), environment(world));
  const report = reports(output).at(-1);
  if (status === 0 && report) measured(`first-packet-${wayOf(report)}-ms`, report.firstMs);
  return { heard: status === 0, report, output };
}

/**
 * What a guest of a room gets to hear when a relay of LiveKit's TURN server is asked for what listens at an address, as
 * `tcp:203.0.113.10:22`. Status 1 where nothing answers, with the reason.
 */
export async function throughRelay(world: World, key: Key, to: string): Promise<CommandResult> {
  const { status, output } = await outcomeOf(
    [...command(world, key, {}), "-to", to],
    environment(world),
  );
  return { status, output: output.trim() };
}

/** A call that goes on until it is ended. It is there once media has arrived for some seconds: LiveKit counts it. */
export async function startCall(world: World, key: Key, changes: Partial<CallOptions> = {}) {
  const program = await startProgram(
    [...command(world, key, changes), "-hold", "-packets", "250"],
    /"event":"media"/,
    environment(world).environment,
  );
  return {
    async end(): Promise<Report> {
      const status = await program.finish();
      const last = reports(program.lines.join("\n")).at(-1);
      if (status !== 0 || last?.event !== "end")
        throw new Error(`The call ended with ${status}:\n${program.lines.join("\n")}`);
      measured("longest-silence-ms", last.silenceMs);
      return last;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** How media reached the one who counts. */
function wayOf({ subscriber: { local, relay, protocol } }: Report): string {
  return local === "relay" ? `turn-${relay}` : `direct-${protocol}`;
}

function environment({ trusted }: World) {
  return { environment: { SSL_CERT_FILE: trusted, SSL_CERT_DIR: "/nonexistent" } };
}

function command(world: World, key: Key, changes: Partial<CallOptions>): string[] {
  const options: CallOptions = {
    servers: "all",
    relay: false,
    room: "proof",
    url: "wss://livekit.example.com",
    patience: "25s",
    ...changes,
  };
  return [
    ...[...world.network.at("client"), inject("media").client, "-url", options.url],
    ...[
      "-publisher",
      token(key, "one", options.room),
      "-subscriber",
      token(key, "two", options.room),
    ],
    ...["-servers", options.servers, "-patience", options.patience],
    ...(options.relay ? ["-relay"] : []),
  ];
}

function reports(output: string): Report[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith('{"event"'))
    .map((line) => report.parse(JSON.parse(line)));
}

/** A token as an application makes it. */
function token({ key, secret }: Key, identity: string, room: string): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url");
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({
    iss: key,
    sub: identity,
    nbf: now - 10,
    exp: now + 3600,
    video: { roomJoin: true, roomCreate: true, roomList: true, roomAdmin: true, room },
  })}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

/** Asks LiveKit's service for rooms, from the client's place. Answers the HTTP status, 0 without an answer, and the body. */
export async function roomService(world: World, key: Key, method: string, content: object) {
  const { output } = await outcomeOf([
    ...[...world.network.at("client"), "curl", "-s", "--cacert", world.trusted, "--max-time", "20"],
    ...["-H", `Authorization: Bearer ${token(key, "operator", "proof")}`],
    ...[
      "-H",
      "Content-Type: application/json",
      "-w",
      "\n%{http_code}",
      "-d",
      JSON.stringify(content),
    ],
    `https://livekit.example.com/twirp/livekit.RoomService/${method}`,
  ]);
  const lines = output.trimEnd().split("\n");
  return { status: Number(lines.at(-1)), output: lines.slice(0, -1).join("\n") };
}
