import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { UsageError } from "../../lib/settings.ts";

/** What goes wrong on purpose, and what the console then shows. */
export const faults = {
  "disk-full": "its disk is 97 % full: Degraded, and the doctor says what to do",
  silent: "it stands, and reports no more: Reporter silent, later Down",
  certificate: "its certificate ends within three days: Degraded",
  update: "it is updated and started again: Updating, then another version of LiveKit",
  clone: "a copy of its disk runs on another machine, which asks to take its place",
} as const;

export type Fault = keyof typeof faults;

/** What goes wrong in a cluster on purpose. */
const clusterFaults = {
  node: "one of its media machines is lost",
  edge: "its edge is lost: nobody can join",
  redis: "its Redis is lost: one cause for all machines",
  egress: "one of its Egress machines is lost: nothing is recorded where it was the only one",
} as const;

export type ClusterFault = keyof typeof clusterFaults;

export const help = `npm run machine stands for a server: it runs the scripts of a deployment's files in a folder under .local, with fakes
for Docker, systemd and the provider, and reports to the site of npm start or npm run dev until Ctrl-C.

  npm run machine -- FILE.zip     boots a new machine from files that connect, as you downloaded them
  npm run machine -- --token      makes one that runs already, and connects it with a token, which it asks for
  npm run machine                 starts the machine of last time again; with --name NAME, that one
  npm run machine -- --list       the machines that there are
  npm run machine -- --forget NAME    disconnects that machine and removes its folder

  --name NAME       what it is called; otherwise machine-1, machine-2, …
  --every SECONDS   how often it reports: 60. The console takes ten at once, and then one each 20 seconds
  --fault FAULT     makes it suffer, once it is well:
${Object.entries(faults)
  .map(([name, words]) => `                    ${name.padEnd(12)}${words}`)
  .join("\n")}
  --count N         a fleet of N. The first machine runs the scripts; the others send its reports with figures of their
                    own, because 50 times the scripts would keep two processors busy. Make one token for so many on
                    the deployment's page, "For how many machines", and use --token
  --cluster N       an edge and N media machines, from 2 to 9, which send reports alone. Make one token for all of them,
                    and use --token, or a zip with one. Ctrl-C: they leave. Its faults:
${Object.entries(clusterFaults)
  .map(([name, words]) => `                    ${name.padEnd(12)}${words}`)
  .join("\n")}
  --egress N        with --cluster: N Egress machines beside them, from 1 to 9; media machines then do not record
  --fast            does not wait between the stages of a boot

Ctrl-C switches it off: it tells the console so, as a machine does. Its folder stays, until --forget.`;

export type Call =
  | { kind: "help" | "list" }
  | { kind: "forget"; name: string }
  | {
      kind: "run";
      /** A zip, a token that is to be typed, or a machine that is there already. */
      from: { zip: string } | "token" | "kept";
      name: string | undefined;
      everyMs: number;
      fault: Fault | undefined;
      count: number;
      /** So many media machines, with an edge; undefined for one server. */
      cluster: number | undefined;
      /** So many Egress machines beside these. */
      egress: number;
      clusterFault: ClusterFault | undefined;
      isFast: boolean;
    };

/** What was asked for. Throws a UsageError that says what is wrong with it. */
export function readCall(args: readonly string[]): Call {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: "help" };
  if (values.list) return { kind: "list" };
  if (values.forget !== undefined) return { kind: "forget", name: nameOf(values.forget) };
  const [zip, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`One file at a time, please: not ${more.join(", ")}.`);
  if (zip !== undefined && /^lkd_/.test(zip)) {
    throw new UsageError(
      "A token is no argument: whoever lists processes would see it. Use --token, and type it.",
    );
  }
  if (zip !== undefined && values.token) {
    throw new UsageError("Either a zip, which has a token in it, or --token.");
  }
  if (zip !== undefined && !existsSync(zip)) throw new UsageError(`There is no file ${zip}.`);
  return {
    kind: "run",
    from: zip === undefined ? (values.token ? "token" : "kept") : { zip },
    name: values.name === undefined ? undefined : nameOf(values.name),
    everyMs: wholeNumber("--every", values.every, 1, 3_600) * 1_000,
    cluster:
      values.cluster === undefined ? undefined : wholeNumber("--cluster", values.cluster, 2, 9),
    egress: egressOf(values),
    ...faultsOf(values),
    count: wholeNumber("--count", values.count, 1, 500),
    isFast: values.fast,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h", default: false },
        list: { type: "boolean", default: false },
        forget: { type: "string" },
        token: { type: "boolean", default: false },
        name: { type: "string" },
        every: { type: "string", default: "60" },
        fault: { type: "string" },
        count: { type: "string", default: "1" },
        cluster: { type: "string" },
        egress: { type: "string" },
        fast: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason}\nnpm run machine -- --help says what there is.`);
  }
}

function nameOf(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/.test(name)) return name;
  throw new UsageError("A name has letters, digits and hyphens, at most 40.");
}

function wholeNumber(option: string, typed: string, least: number, max: number): number {
  const number = Number(typed);
  if (Number.isInteger(number) && number >= least && number <= max) return number;
  throw new UsageError(`${option} takes a whole number from ${least} to ${max}.`);
}

type ClusterValues = { cluster?: string | undefined; egress?: string | undefined };

function egressOf({ cluster, egress }: ClusterValues): number {
  if (egress === undefined) return 0;
  if (cluster === undefined) throw new UsageError("--egress goes with --cluster.");
  return wholeNumber("--egress", egress, 1, 9);
}

function faultsOf({ fault, cluster, egress }: ClusterValues & { fault?: string | undefined }): {
  fault: Fault | undefined;
  clusterFault: ClusterFault | undefined;
} {
  if (fault === undefined) return { fault: undefined, clusterFault: undefined };
  if (cluster === undefined) return { fault: faultIn(faults, fault), clusterFault: undefined };
  const clusterFault = faultIn(clusterFaults, fault);
  if (clusterFault === "egress" && egress === undefined) {
    throw new UsageError("--fault egress goes with --egress.");
  }
  return { fault: undefined, clusterFault };
}

function faultIn<Name extends string>(known: Readonly<Record<Name, string>>, name: string): Name {
  if (Object.hasOwn(known, name)) return name as Name;
  throw new UsageError(`There is no fault ${name}. There are: ${Object.keys(known).join(", ")}.`);
}
