import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const step = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const job = z.strictObject({
  uses: z.string().optional(),
  needs: z.array(z.string()).optional(),
  if: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  outputs: z.record(z.string(), z.string()).optional(),
  "runs-on": z.string().optional(),
  "timeout-minutes": z.number().optional(),
  strategy: z
    .strictObject({
      "fail-fast": z.literal(false),
      matrix: z.strictObject({ shard: z.array(z.string()) }),
    })
    .optional(),
  environment: z.strictObject({ name: z.string(), url: z.string() }).optional(),
  steps: z.array(step).default([]),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.strictObject({
    group: z.string(),
    "cancel-in-progress": z.union([z.boolean(), z.string()]),
  }),
  jobs: z.record(z.string(), job),
});

const files = globSync(".github/workflows/*").sort();
const texts = new Map(files.map((file) => [basename(file), readFileSync(file, "utf8")]));
const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

function read(file: string) {
  const text = texts.get(file) ?? "";
  const flow = workflow.parse(parse(text));
  const jobs = Object.values(flow.jobs);
  return { text, flow, jobs, steps: jobs.flatMap(({ steps }) => steps) };
}

test("there are five: test, proof against real servers, releases, preview and deploy", () => {
  const names = ["deploy.yml", "preview.yml", "proof-real.yml", "releases.yml", "test.yml"];
  expect([...texts.keys()]).toEqual(names);
});

test.each([...texts.keys()])("%s may read the repository and nothing else", (file) => {
  const { flow } = read(file);
  expect(flow.permissions).toEqual({ contents: "read" });
  const writing = Object.entries(flow.jobs).filter(([, { permissions }]) => permissions);
  expect(writing.map(([name]) => name)).toEqual(file === "releases.yml" ? ["pull-request"] : []);
  for (const [name, { steps }] of Object.entries(flow.jobs)) {
    const history = file === "test.yml" || name === "pull-request" ? { "fetch-depth": 0 } : {};
    for (const checkout of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@")))
      expect(checkout.with).toEqual({ "persist-credentials": false, ...history });
  }
});

test.each([...texts.keys()])("no job of %s runs for ever", (file) => {
  for (const each of read(file).jobs) {
    if (each.uses) continue;
    expect(each["timeout-minutes"]).toBeGreaterThan(0);
    // All tests of media together take three quarters of an hour.
    const isMedia = each.steps.some(({ run }) => run?.includes("proof:real media"));
    expect(each["timeout-minutes"]).toBeLessThanOrEqual(isMedia ? 90 : 45);
    // A named image: "latest" changes under our feet.
    expect(each["runs-on"]).toMatch(/^ubuntu-\d\d\.\d\d$/);
  }
});

test.each([...texts.keys()])(
  "%s uses GitHub's own actions, each at one commit that says its version",
  (file) => {
    const { text, jobs, steps } = read(file);
    for (const { uses } of steps) {
      // A tag may be moved to other code; a commit cannot.
      if (uses) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    }
    for (const line of text.split("\n").filter((each) => /uses: actions\//.test(each))) {
      expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
    }
    for (const { uses } of jobs) {
      if (uses) expect(existsSync(uses), uses).toBe(true);
    }
  },
);

test("an action has one commit in all workflows", () => {
  const named = [...texts.values()].flatMap((text) => text.match(/uses: actions\/.*/g) ?? []);
  const actions = new Set(named.map((line) => /actions\/[\w-]+/.exec(line)?.[0]));
  expect(new Set(named).size).toBe(actions.size);
});

test("an image is named by its digest, or by a full version where no secret is near", () => {
  for (const text of texts.values()) {
    for (const [line] of text.matchAll(
      /^.*(?:\bimage: |\bcontainer: |docker (?:run|pull) ).*$/gm,
    )) {
      if (/@sha256:[0-9a-f]{64}\b/.test(line)) continue;
      expect(line).toMatch(/:v?\d+\.\d+\.\d+/);
      expect(text).not.toContain("secrets.");
    }
  }
});

test.each([...texts.keys()])("what %s runs exists", (file) => {
  const commands = read(file).steps.flatMap(({ run }) => run ?? []);
  const named = commands.flatMap((command) =>
    [...command.matchAll(/npm (?:run )?(?!ci\b|install\b|audit\b)([\w:-]+)/g)].map(
      ([, name = ""]) => name,
    ),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  const paths = commands.flatMap(
    (command) => command.match(/(?<![\w/.])(?:app|deploy|local|test|bench|\.ci)\/[\w./-]+/g) ?? [],
  );
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test.each([...texts.keys()])("what others write reaches no shell of %s", (file) => {
  const { flow, steps } = read(file);
  expect(Object.keys(flow.on)).not.toContain("pull_request_target");
  expect(Object.keys(flow.on)).not.toContain("workflow_run");
  // An expression in a script is pasted into it: a branch's name could be a command.
  for (const { run } of steps) expect(run ?? "").not.toContain("${{");
});

test.each([...texts.keys()])("secrets reach only jobs of %s that an environment guards", (file) => {
  const { jobs } = read(file);
  for (const each of jobs) {
    if (JSON.stringify(each).includes("secrets.")) expect(each.environment?.name).toBeTruthy();
    for (const { env, ...rest } of each.steps) {
      // In the one step that needs them: what npm installs runs in other steps.
      expect(JSON.stringify(rest)).not.toContain("secrets.");
      if (JSON.stringify(env ?? {}).includes("secrets.")) expect(rest.run).not.toContain("npm ci");
    }
  }
});

test("a pull request from a fork is tested, without secrets, and gets no preview", () => {
  const tested = read("test.yml");
  expect(Object.keys(tested.flow.on)).toContain("pull_request");
  expect(tested.text).not.toContain("secrets.");
  for (const { if: condition } of read("preview.yml").jobs) {
    expect(condition).toContain(
      "github.event.pull_request.head.repo.full_name == github.repository",
    );
  }
});

test("every push is tested, its packages are looked up, and Cloudflare's tool tries to take the build", () => {
  const { flow, steps } = read("test.yml");
  expect(flow.on.push).toEqual({ "branches-ignore": ["main"] });
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands).toContain("npm test");
  expect(flow.jobs.test?.steps.at(-1)?.run).toMatch(/^npx wrangler deploy .*--dry-run/);
  // Of what visitors get any known fault, and of the tools the high ones.
  expect(commands).toContain("npm audit --omit=dev");
  expect(commands).toContain("npm audit --audit-level=high");
  const { flow: deploying } = read("deploy.yml");
  expect(deploying.on.push).toEqual({ branches: ["main"] });
  expect(deploying.jobs.test?.uses).toBe("./.github/workflows/test.yml");
});

test("the proof runs for every push, in parts that are together the whole", () => {
  const { proof } = read("test.yml").flow.jobs;
  const { shard = [] } = proof?.strategy?.matrix ?? {};
  expect(shard.length).toBeGreaterThan(1);
  expect(shard).toEqual(shard.map((_, index) => `${index + 1}/${shard.length}`));
  expect(proof?.steps.at(-1)?.run).toBe('npm run proof -- --shard="$SHARD"');
});

test("each night the tests that draw by chance draw with new seeds", () => {
  const { jobs } = read("proof-real.yml").flow;
  expect(jobs["new-seeds"]?.steps.at(-1)?.run).toBe("npm run proof:nightly");
});

test("the site and its bundles meet real servers every night, and before each release", () => {
  const { flow } = read("proof-real.yml");
  expect(Object.keys(flow.on)).toEqual(["schedule", "workflow_dispatch", "workflow_call"]);
  expect(flow.jobs.auth?.steps.at(-1)?.run).toBe("npm run proof:real auth");
  expect(flow.jobs.cluster?.steps.at(-1)?.run).toMatch(/^sudo .* npm run proof:real cluster$/);
  expect(flow.jobs.media?.steps.at(-2)?.run).toMatch(/^sudo .* npm run proof:real call$/);
  expect(flow.jobs.media?.steps.at(-1)?.run).toMatch(/^sudo .* npm run proof:real media$/);
  expect(flow.jobs.agents?.steps.at(-1)?.run).toBe("npm run proof:real agents");
  expect(flow.jobs.stripe?.steps.at(-1)?.run).toBe("npm run proof:real stripe");
  const { flow: deploying } = read("deploy.yml");
  expect(deploying.jobs["proof-real"]?.uses).toBe("./.github/workflows/proof-real.yml");
});

test("each day the table of releases is read anew, proven with its new pins, and put into a pull request", () => {
  const { flow } = read("releases.yml");
  expect(Object.keys(flow.on)).toEqual(["schedule", "workflow_dispatch"]);
  expect(flow.on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  const { table, proof, "pull-request": pull } = flow.jobs;
  expect(table?.steps.at(-1)?.run).toContain("npm run releases -- --pin");
  // The same machine as each night, with the change.
  const nightly = read("proof-real.yml").flow.jobs.media?.steps ?? [];
  expect(proof?.steps.filter(({ run }) => !run?.includes("git apply"))).toEqual(
    nightly.filter(({ run }) => !run?.endsWith("npm run proof:real call")),
  );
  expect(proof?.needs).toEqual(["table"]);
  expect(pull?.needs).toEqual(["table", "proof"]);
  expect(pull?.steps.map(({ run }) => run ?? "").join()).toContain("gh pr create");
  // Who may write runs no package, and a red pin of main ends the workflow red.
  expect(pull?.steps.some(({ run }) => /npm|node/.test(run ?? ""))).toBe(false);
  expect(pull?.steps.at(-1)?.run).toBe('test -z "$RED"');
});

test("main is deployed after its tests, one deploy at a time, with a site to look at", () => {
  const { flow } = read("deploy.yml");
  expect(flow.jobs.deploy?.needs).toEqual(["test", "proof-real"]);
  expect(flow.jobs.deploy?.if).toContain("github.ref == 'refs/heads/main'");
  expect(flow.concurrency["cancel-in-progress"]).toBe(false);
  const last = flow.jobs.deploy?.steps.at(-1);
  expect(last?.run).toBe('npm run deploy -- --site "$SITE_URL"');
  expect(last?.env).toHaveProperty("SITE_URL");
});

test("only the deploy of main names production's environment, and the guide opens it to main alone", () => {
  for (const [file, text] of texts) {
    expect([file, /\bproduction\b(?!-)/.test(text.replace(/^\s*#.*$/gm, ""))]).toEqual([
      file,
      file === "deploy.yml",
    ]);
  }
  const guide = readFileSync("docs/operations.md", "utf8");
  expect(guide).toContain("environments/production/deployment-branch-policies' -f name=main");
  expect(guide).toContain("deployment_branch_policy[custom_branch_policies]=true");
  expect(guide).toMatch(/environments\/preview' [\s\S]{1,120}reviewers\[\]\[type\]=User/);
});

test("a preview has neither production's environment nor its database", () => {
  const { text, flow } = read("preview.yml");
  expect(flow.jobs.preview?.environment?.name).toBe("preview");
  expect(text).not.toMatch(/SUPABASE_DB|name: production|npm run deploy/);
});
