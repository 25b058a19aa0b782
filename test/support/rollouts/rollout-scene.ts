import { execFileSync } from "node:child_process";
import { approverLines, orderLines } from "~/features/servers/ingest/rollout-endpoints.server.ts";
import { manifestOf, zipOfRollout } from "~/features/servers/rollouts/manifest.ts";
import type { Assertion } from "~/features/servers/rollouts/rollout.ts";
import { optionsFrom } from "../deployments/bundle-cases.ts";
import { connect, report, run, well, withKernel } from "../deployments/console-machine.ts";
import { type ConsoleRequest, startConsole } from "../deployments/console-server.ts";
import { type Machine, runningMachine } from "../deployments/machine.ts";
import { type Authenticator, authenticator } from "./authenticator.ts";

const python = execFileSync("sh", ["-c", "command -v python3"], { encoding: "utf8" }).trim();
const origin = "https://console.example.com";
const deployment = "dddddddd-dddd-4ddd-8ddd-dddddddddddd";
/** As the console of the machine's tests calls it. */
const server = "11111111-1111-1111-1111-111111111111";

export const people = [
  "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
  "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb",
] as const;

/** The version that runs, and the one that is rolled out. */
const changed = { monitoring: "advanced", extraDomains: ["livekit.example.org"] };

type Ordered = {
  version?: number;
  options?: Record<string, unknown>;
  servers?: readonly string[];
  of?: string;
  isLower?: boolean;
  /** Seconds from now. */
  ends?: number;
  begins?: number;
  id?: string;
};

/** A console of which everything is in a stranger's hands, and a machine that learned its approvers before that. */
export async function rolloutScene({ needed = 1, approvers = 1 } = {}) {
  const devices: Authenticator[] = people
    .slice(0, approvers)
    .map((person, nth) => authenticator(person, origin, `approver-${nth + 1}@example.com`));
  let known = devices.map(({ approver }) => approver);
  let order: { id: string; manifest: string; assertions: Assertion[] } | undefined;
  let linesBefore: readonly string[] = [];
  let removed: string[] | undefined;
  let zip: Uint8Array | undefined;
  const steps: string[] = [];
  let aborts = (_: string): boolean => false;
  const console = await startConsole((request: ConsoleRequest) => {
    switch (request.path) {
      case "/v1/enrol":
        return withMore(well(request), approverLines({ needed, origin, keys: known }));
      case "/v1/approvers":
        return withMore({ status: 200, lines: [] }, approverLines({ needed, origin, keys: known }));
      case "/v1/report":
        return withMore(
          withLines(well(request), linesBefore),
          orderLines({
            ...(order ? { rollout: order } : {}),
            ...(removed ? { removedApprovers: removed } : {}),
          }),
        );
      case "/v1/rollout": {
        const [, id = "", step = "", reason = ""] =
          /^rollout (\S+)\nstep (\S+)\n(?:reason (.*)\n)?$/.exec(request.body) ?? [];
        if (order?.id !== id) return { status: 404, lines: ["refused no-rollout", "say No."] };
        if (steps.at(-1)?.split(" ")[0] !== step) steps.push(reason ? `${step} ${reason}` : step);
        return { status: 200, lines: [`rollout ${id}`, `abort ${aborts(step) ? "yes" : "no"}`] };
      }
      case "/v1/rollout-files":
        return zip
          ? { page: zip }
          : { status: 404, lines: ["refused no-rollout", "say There is none."] };
      default:
        return well(request);
    }
  });
  const machine: Machine = withKernel(
    runningMachine({}, { url: console.url, version: { deployment, number: 1 } }),
  );
  machine.command("sleep", "/bin/sleep 0.05");
  await connect(machine);
  await report(machine);

  const made = (ordered: Ordered = {}) => {
    const { version = 2, options = changed, servers = [server], isLower = false } = ordered;
    const id = ordered.id ?? crypto.randomUUID();
    const inputs = {
      options: optionsFrom({ domain: "livekit.example.com", ...options }),
      ...{ version, url: console.url },
    };
    const { begins } = ordered;
    const contents = {
      ...(begins === undefined ? {} : { beginsAt: Date.now() + begins * 1_000 }),
      ...{ id, servers, version, isLower, deployment: ordered.of ?? deployment },
      ...{ generator: "test", endsAt: Date.now() + (ordered.ends ?? 3_600) * 1_000 },
    };
    const manifest = manifestOf(contents, inputs) ?? "";
    const rollout = { ...contents, manifest, inputs, requestedAt: 0, requestedBy: "", needed };
    const bytes = zipOfRollout({ ...rollout, approvals: [], targets: [] }) ?? new Uint8Array();
    return { id, manifest, zip: bytes };
  };
  const scene = {
    ...{ machine, console, devices, steps, made },
    /** The stranger's console orders what it will. */
    order(what: { id: string; manifest: string }, assertions: Assertion[], files?: Uint8Array) {
      order = { ...what, assertions };
      zip = files;
      steps.length = 0;
    },
    /** A version that everybody whose device this is has approved. */
    approved(ordered: Ordered = {}) {
      const rollout = made(ordered);
      const assertions = devices.map((device) => device.sign(rollout.manifest));
      scene.order(rollout, assertions, rollout.zip);
      return rollout;
    },
    /** The machine's clock is so many seconds ahead. */
    clockAhead(seconds: number) {
      machine.command("date", `exec /bin/date -d "+${seconds} seconds" "$@"`);
      const shifted = `import sys, time; now = time.time; time.time = lambda: now() + ${seconds}; sys.argv = sys.argv[1:]; exec(open(sys.argv[0]).read())`;
      machine.command(
        "python3",
        `[ -f "$1" ] || exec ${python} "$@"; exec ${python} -c '${shifted}' "$@"`,
      );
    },
    abortsAt(step: string) {
      aborts = (at) => at === step;
    },
    /** Lines that stand before those of the order in the answer of a report. */
    linesBefore(lines: readonly string[]) {
      linesBefore = lines;
    },
    remove(fingerprints: string[]) {
      removed = fingerprints;
    },
    offers(more: Authenticator[]) {
      known = [...known, ...more.map(({ approver }) => approver)];
    },
    /** The machine reports, which brings the order, and carries it out as its unit does: by copies of the scripts. */
    async takes() {
      await report(machine);
      return scene.goesOn();
    },
    goesOn: () => run(machine, "../state/rollout/run/rollout"),
    version: () => machine.read("opt/livekit/version.txt").split(" ")[1],
    hasStopped: () => /compose (stop|up)/.test(machine.calls()),
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]();
      await console[Symbol.asyncDispose]();
    },
  };
  return scene;
}

const withMore = <Reply>(reply: Reply, more: Readonly<Record<string, string | number>>) =>
  withLines(
    reply,
    Object.entries(more).map(([name, value]) => `${name} ${value}`),
  );

function withLines<Reply>(reply: Reply, more: readonly string[]) {
  const { lines: former, ...rest } = reply as Reply & { lines: readonly string[]; status: number };
  return { ...rest, lines: [...former, ...more] };
}
