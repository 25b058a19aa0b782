import { type Rollout, type Server, serverAnswer, serverPage } from "./api/answers.ts";
import { Api, apiHelp, apiOptions } from "./api/api.ts";
import { type Command, exitCodes, idOf, readLine, type Terminal, UsageError } from "./command.ts";
import { endedBadly, newestRollout, rolloutText } from "./rollout.ts";
import { jsonText, plain } from "./text.ts";

/** A server reports once in a minute. */
const pollMs = 10_000;
const defaultTimeout = "15m";
const maxTimeoutMs = 6 * 3_600_000;

export const waitCommand: Command = {
  about: "waits until a server is healthy and runs a version",
  help: `Usage: livekit-deploy wait --healthy (--server ID | --deployment ID)
         [--version N] [--timeout TIME] [--json] [--url URL]

Waits until a server, or every connected server of a deployment, is healthy and, with
--version, runs that version as it reports itself. With --server too, it says how far
the version's rollout is, and ends when that ends otherwise. While the site is not
reached, it tries again until the time is over. The token needs the scope servers:read.

  --healthy         what is waited for
  --server ID       which one; the address of its page has it
  --deployment ID   all that were connected for this deployment
  --version N       the version of the deployment that it has to run
  --timeout TIME    such as 90s, 10m or 1h; ${defaultTimeout} without it, 6h at most
  --json            prints how each is as JSON
  --url URL         the site, instead of LIVEKIT_DEPLOY_URL
  --help            prints this

Ends with 0 when it is so, with 2 when it is not in time or cannot become so, and with
1 when nobody could say.

${apiHelp}
`,
  whenInterrupted: "The servers do what they did.",
  async run(line, terminal) {
    const { values, positionals } = readLine(line, {
      ...apiOptions,
      ...{ healthy: { type: "boolean" }, server: { type: "string" } },
      ...{ deployment: { type: "string" }, version: { type: "string" } },
      timeout: { type: "string" },
    });
    if (positionals.length > 0) throw new UsageError("It takes no file.");
    if (!values.healthy) throw new UsageError("Say what to wait for: --healthy.");
    if ((values.server === undefined) === (values.deployment === undefined)) {
      throw new UsageError("Say which: --server ID or --deployment ID.");
    }
    const wanted: Wanted = {
      version: versionOf(values.version),
      ...(values.server === undefined
        ? { deployment: idOf("--deployment", values.deployment) }
        : { server: idOf("--server", values.server) }),
    };
    const timeoutMs = timeoutOf(values.timeout ?? defaultTimeout);
    const api = new Api(terminal, values.url);
    const { servers, rollout } = await waited(api, wanted, timeoutMs, terminal);
    const isReady = areReady(servers, wanted);
    if (values.json) {
      terminal.print(jsonText({ healthy: isReady, servers, rollout: rollout ?? null }));
    } else {
      const more = rollout && !isReady ? ` ${rolloutText(rollout)}` : "";
      terminal.print(`${isReady ? "Healthy" : "Not healthy"}: ${linesOf(servers)}${more}\n`);
    }
    return isReady ? exitCodes.done : exitCodes.no;
  },
};

type Wanted = { server?: string; deployment?: string; version: number | undefined };

type Found = { servers: Server[]; rollout?: Rollout | undefined };

/**
 * The servers as they are when all are ready, one never will be, or the time is over. A rollout that had ended before
 * anybody waited says nothing: the version may come by hand.
 */
async function waited(
  api: Api,
  wanted: Wanted,
  timeoutMs: number,
  { now, pause, complain }: Terminal,
): Promise<Found> {
  const until = now() + timeoutMs;
  let said = "";
  let wasOpen = "";
  for (;;) {
    const retryMs = Math.max(0, until - now());
    const servers = await serversOf(api, wanted, retryMs);
    if (areReady(servers, wanted) || servers.some(isLost)) return { servers };
    const newest = await rolloutOf(api, wanted, retryMs);
    const hasEnded = newest !== undefined && endedBadly(newest);
    if (newest && !hasEnded) wasOpen = newest.id;
    const rollout = newest?.id === wasOpen ? newest : undefined;
    if (rollout && hasEnded) return { servers, rollout };
    const lines = `${linesOf(servers)}${rollout ? ` ${rolloutText(rollout)}` : ""}`;
    if (lines !== said) complain(`Waiting: ${lines}\n`);
    said = lines;
    if (now() + pollMs > until) return { servers, rollout };
    await pause(pollMs);
  }
}

async function rolloutOf(api: Api, { server, version }: Wanted, retryMs: number) {
  if (server === undefined || version === undefined) return;
  return newestRollout(api, server, version, retryMs);
}

async function serversOf(api: Api, wanted: Wanted, retryMs: number): Promise<Server[]> {
  if (wanted.server !== undefined) {
    return [(await api.get(`/servers/${wanted.server}`, serverAnswer, retryMs)).value];
  }
  const found: Server[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor && `?${new URLSearchParams({ cursor })}`;
    const { value } = await api.get(`/servers${query}`, serverPage, retryMs);
    found.push(...value.items);
    cursor = value.next_cursor;
  }
  return found.filter(
    ({ deployment, state }) => deployment === wanted.deployment && state.code !== "retired",
  );
}

const areReady = (servers: readonly Server[], { version, deployment }: Wanted): boolean =>
  servers.length > 0 &&
  servers.every(
    ({ state, version: runs }) =>
      state.code === "healthy" &&
      (version === undefined || runs?.version === version) &&
      (deployment === undefined || version === undefined || runs?.deployment === deployment),
  );

/** It never reports again. */
const isLost = ({ state }: Server): boolean => state.code === "retired";

const stateWords: Readonly<Record<string, string>> = {
  retired: "disconnected",
  paused: "paused, because the plan has no room for it",
  duplicate: "two machines with one key",
};

function linesOf(servers: readonly Server[]): string {
  if (servers.length === 0) return "no server is connected for this deployment.";
  return `${servers.map(lineOf).join("; ")}.`;
}

function lineOf({ name, state, version, findings }: Server): string {
  const runs = version
    ? `version ${version.version}${version.is_changed ? ", changed by hand since" : ""}`
    : "no known version";
  const found = findings.map(({ code }) => code).join(", ");
  const words = stateWords[state.code] ?? state.code;
  return plain(`${name} is ${words}${found ? ` (${found})` : ""} and runs ${runs}`);
}

function versionOf(text: string | undefined): number | undefined {
  if (text === undefined) return;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--version: ${JSON.stringify(text)} is no number of a version.`);
}

const units = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

function timeoutOf(text: string): number {
  const [, number, unit = "s"] = /^(\d{1,6})([smh])?$/.exec(text) ?? [];
  const ms = Number(number) * units[unit as keyof typeof units];
  if (ms > 0 && ms <= maxTimeoutMs) return ms;
  throw new UsageError(
    `--timeout: ${JSON.stringify(text)} is no time such as 10m, or is above 6h.`,
  );
}
