import { execFile } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { CommandLine } from "../../support/api/command-line.ts";
import { codeBlocks } from "../../support/documentation/code-blocks.ts";
import { machine } from "../../support/servers/report-lines.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

const sample = readFileSync("docs/samples/livekit.yaml", "utf8");
const texts = z.record(z.string(), z.string());
const workflow = z
  .object({
    on: z.record(z.string(), z.unknown()),
    permissions: texts,
    env: texts,
    jobs: z.record(
      z.string(),
      z.object({
        if: z.string(),
        environment: z.optional(z.string()),
        permissions: z.optional(texts),
        steps: z.array(
          z.object({
            ...{ uses: z.optional(z.string()), name: z.optional(z.string()) },
            ...{ run: z.optional(z.string()), env: z.optional(texts) },
          }),
        ),
      }),
    ),
  })
  .parse(parse(sample));

let team: ApiTeam;
/** Where the repository is checked out. */
let checkout: CommandLine;
let values: Record<string, string>;

beforeEach(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  checkout = await CommandLine.compiled();
  values = {
    "vars.LIVEKIT_DEPLOY_URL": siteUrl,
    "vars.LIVEKIT_DEPLOYMENT": team.deployment,
    "vars.LIVEKIT_SERVER": team.server,
    "secrets.LIVEKIT_READ_TOKEN": await team.token(["deployments:read"], "Read"),
    "secrets.LIVEKIT_WRITE_TOKEN": await team.token(["deployments:write", "servers:write"]),
    ...{ "github.token": "ghs_1", "github.event.number": "7" },
  };
  // GitHub's own program: it remembers the one comment.
  const gh = checkout.write(
    "gh",
    `#!/bin/sh
echo "$GH_TOKEN $*" >>calls.txt
case "$*" in
  "api --paginate"*) [ ! -e comment.md ] || echo 41 ;;
  "api -X PATCH"* | "pr comment"*) cp difference.md comment.md ;;
esac
`,
  );
  chmodSync(gh, 0o755);
});
afterEach(() => checkout.remove());

/** The value of an expression of the workflow; one that the test does not know fails it. */
const resolved = (text: string): string =>
  text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`GitHub has no ${name} here`);
    return value;
  });

const resolvedAll = (all: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(all).map(([name, text]) => [name, resolved(text)]));

type Ended = { name: string; status: number; out: string; error: string };

/** Runs the steps of a job as GitHub does, until one fails. */
async function runJob(job: string): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (const { run, name = "", env } of workflow.jobs[job]?.steps ?? []) {
    if (run === undefined) continue;
    const environment = {
      ...{ ...process.env, PATH: `${checkout.folder}:${process.env.PATH}` },
      ...{ GITHUB_STEP_SUMMARY: join(checkout.folder, "summary.md"), GITHUB_REPOSITORY: "a/b" },
      ...{ ...resolvedAll(workflow.env), ...resolvedAll(env) },
    };
    const step = await new Promise<Ended>((resolve) => {
      execFile(
        "bash",
        ["--noprofile", "--norc", "-eo", "pipefail", "-c", run],
        { cwd: checkout.folder, env: environment },
        (failure, out, error) =>
          resolve({ name, status: failure ? Number(failure.code) : 0, out, error }),
      );
    });
    ended.push(step);
    if (step.status !== 0) break;
  }
  return ended;
}

const commit = (options: object) => checkout.write("livekit.json", options);
const read = (name: string) => readFileSync(join(checkout.folder, name), "utf8");
const statuses = (steps: Ended[]) => steps.map(({ status }) => status);

/** The machine says which version it runs, whom it takes approvals from, and that it is well. */
const reports = (seq: number, version: number) =>
  team.machine.report(seq, ["approvals\t1", `approver\t${"ab".repeat(16)}`], {
    "made-from": `${team.deployment}\t${version}\t${machine.version}`,
  });

test("the page shows the sample as it is tested here", () => {
  const [block] = codeBlocks("docs/command-line").filter(({ language }) => language === "yaml");
  expect(block?.text).toBe(sample);
});

test("a pull request has no token that writes, and no job more rights at GitHub than it needs", () => {
  const { diff, apply } = workflow.jobs;
  expect([diff?.if, apply?.if]).toEqual([
    "github.event_name == 'pull_request'",
    "github.event_name == 'push'",
  ]);
  expect(Object.keys(workflow.on)).toEqual(["pull_request", "push"]);
  expect(JSON.stringify(diff)).not.toContain("WRITE_TOKEN");
  expect(apply?.environment).toBe("production");
  expect(workflow.permissions).toEqual({ contents: "read" });
  expect(diff?.permissions).toEqual({ contents: "read", "pull-requests": "write" });
  for (const { uses } of [...(diff?.steps ?? []), ...(apply?.steps ?? [])])
    expect(uses ?? "none@").toMatch(/^actions\/\w+@[0-9a-f]{40}$|^none@$/);
  // A value of an event in a script would run there: it comes by the environment.
  for (const { steps } of Object.values(workflow.jobs))
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
});

test("a pull request shows what its options change, in the summary and in one comment that is brought up to date", async () => {
  commit({ ...team.options, monitoring: "basic" });
  expect(statuses(await runJob("diff"))).toEqual([0, 0, 0]);
  expect(read("comment.md")).toContain("Nothing differs from version 2.");
  commit({ ...team.options, monitoring: "advanced" });
  expect(statuses(await runJob("diff"))).toEqual([0, 0, 0]);
  expect(read("comment.md")).toContain("| ` monitoring ` | ` basic ` | ` advanced ` |");
  expect(read("summary.md")).toContain(read("comment.md"));
  expect(read("calls.txt").match(/^.*(pr comment|PATCH).*$/gm)).toEqual([
    "ghs_1 pr comment 7 --body-file difference.md",
    "ghs_1 api -X PATCH repos/a/b/issues/comments/41 -F body=@difference.md --silent",
  ]);
});

test("a pull request whose options make no server fails, says why, and writes no comment", async () => {
  commit({ ...team.options, domain: "no domain" });
  const steps = await runJob("diff");
  expect(statuses(steps)).toEqual([0, 1]);
  expect(steps[1]?.error).toContain("domain: ");
  expect(existsSync(join(checkout.folder, "comment.md"))).toBe(false);
});

test("what is merged is saved and requested once, and the run waits until the server runs it; the same again changes nothing", async () => {
  commit({ ...team.options, monitoring: "advanced" });
  // The machine has taken up the next version before the job comes to its wait.
  await reports(5, 3);
  const first = await runJob("apply");
  expect([statuses(first), first.map(({ error }) => error)]).toEqual([
    [0, 0, 0],
    ["", "", ""],
  ]);
  expect(JSON.parse(read("applied.json"))).toMatchObject({ version: 3, changed: true });
  expect(first[2]?.out).toBe("Healthy: sfu-1 is healthy and runs version 3.\n");
  const second = await runJob("apply");
  expect(statuses(second)).toEqual([0, 0, 0]);
  expect(JSON.parse(read("applied.json"))).toEqual({
    ...{ deployment: team.deployment, version: 3, changed: false, rollout: null },
  });
});

test("a server that runs another version is asked for, and a run that waits for people says so", async () => {
  commit({ ...team.options, monitoring: "advanced" });
  await reports(5, 2);
  const environment = {
    LIVEKIT_DEPLOY_URL: siteUrl,
    LIVEKIT_DEPLOY_TOKEN: values["secrets.LIVEKIT_WRITE_TOKEN"] ?? "",
  };
  const deployment = ["--deployment", team.deployment, "--server", team.server, "--json"];
  const line = ["apply", "livekit.json", ...deployment];
  const [first, again] = [
    await checkout.run(line, environment),
    await checkout.run(line, environment),
  ];
  const rollout = JSON.parse(first.out);
  expect(rollout).toMatchObject({ version: 3, changed: true, rollout: { state: "requested" } });
  expect(JSON.parse(again.out)).toEqual({ ...rollout, changed: false });
  const wait = ["wait", "--healthy", "--server", team.server, "--version", "3", "--timeout", "1s"];
  const waited = await checkout.run(wait, environment);
  expect([waited.status, waited.out]).toEqual([
    2,
    "Not healthy: sfu-1 is healthy and runs version 2. The rollout of version 3 is requested, 0 of 1 approvals.\n",
  ]);
});
