import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Terminal } from "../../../packages/livekit-deploy/command.ts";
import { runLine } from "../../../packages/livekit-deploy/run-line.ts";
import { ScriptedApi } from "../../support/api/scripted-api.ts";

const folder = mkdtempSync(join(tmpdir(), "command-line-"));
afterAll(() => rmSync(folder, { recursive: true }));

const id = "0d5e4f3a-1b2c-4d5e-8f90-a1b2c3d4e5f6";
const token = `lkd_w_${"A1b2".repeat(10)}xyz`;
const options = { domain: "a.example.com", email: "a@example.com" };
const file = join(folder, "livekit.json");
writeFileSync(file, JSON.stringify({ $schema: "https://site.invalid/options.json", ...options }));

/** Runs a line within this process; `pauses` are the seconds that it would have waited, and time passes with them. */
async function run(
  line: string[],
  of: {
    url?: string;
    environment?: Record<string, string>;
    isColoured?: true;
    isInterrupted?: true;
  },
) {
  const interruption = new AbortController();
  const [out, error, pauses]: [string[], string[], number[]] = [[], [], []];
  let now = Date.parse("2026-11-29T10:00:00Z");
  const terminal: Terminal = {
    print: (text) => out.push(text),
    complain: (text) => error.push(text),
    environment: {
      ...(of.url ? { LIVEKIT_DEPLOY_URL: of.url } : {}),
      ...{ LIVEKIT_DEPLOY_TOKEN: token, ...of.environment },
    },
    isColoured: of.isColoured === true,
    signal: interruption.signal,
    now: () => now,
    async pause(ms) {
      pauses.push(ms / 1_000);
      now += ms;
      if (of.isInterrupted) interruption.abort();
      interruption.signal.throwIfAborted();
    },
  };
  const status = await runLine(line, terminal);
  return { status, out: out.join(""), error: error.join(""), pauses };
}

const equal = { version: 4, options: [], tasks: [], changes_machine: false, files: [] };
const comparison = {
  ...{ version: 4, changes_machine: true, tasks: ["firewall", "apply"] },
  options: [
    { path: "ingress", before: "none", after: "a|`b`\u001b[31m", effect: "restart" },
    { path: "size", before: null, after: 3, effect: "resize" },
  ],
  files: [
    {
      ...{ name: "README.md", change: "changed", added: 1, removed: 1 },
      diff: "@@ -1,2 +1,2 @@\n ```sh\n-old\n+new\u001b[2J\n",
    },
  ],
};
const deployment = (version: number) => ({
  ...{ id, name: "Production", version, options, created_at: "", updated_at: "" },
});
const server = (of: object) => ({
  ...{ id, name: "sfu-1", deployment: id, state: { code: "healthy" }, findings: [] },
  version: { deployment: id, version: 4, is_changed: false },
  ...of,
});
const problem = (status: number, code: string, more: object = {}, headers = {}) => ({
  ...{ status, headers },
  value: { title: "", status, code, detail: "So it is.", request_id: "r-1", ...more },
});
const rollout = (state: string, of: object = {}) => ({
  ...{ id, server: id, deployment: id, version: 4, state, reason: null, requested_at: "" },
  ...{ requested_by: "Token CI", ends_at: "", approvals_needed: 2, approvals: [{}], steps: [] },
  ...of,
});
const rollouts = (...items: object[]) => ({ at: /rollouts$/, value: { items } });
const diff = ["diff", file, "--deployment", id];
const apply = ["apply", file, "--deployment", id];

test("diff sends the options alone with the token, and ends with 0 where nothing differs", async () => {
  await using api = await ScriptedApi.replying({ value: equal });
  const { status, out, error } = await run(diff, api);
  expect([status, out, error]).toEqual([0, "Nothing differs from version 4.\n", ""]);
  expect(api.calls).toMatchObject([{ method: "POST", body: { options } }]);
  expect(api.calls[0]?.headers.get("authorization")).toBe(`Bearer ${token}`);
  expect(api.wrong).toEqual([]);
});

test("diff ends with 2 where something differs, and prints nothing that moves a cursor", async () => {
  await using api = await ScriptedApi.replying({ value: comparison });
  const { status, out } = await run(diff, api);
  expect(status).toBe(2);
  expect(out).toBe(
    [
      "2 options and 1 file differ from version 4.\n",
      "  ingress  none → a|`b`[31m (a running server restarts)",
      "  size     not set → 3 (a running server is resized)",
      "\nREADME.md: changed, +1 -1",
      ...["@@ -1,2 +1,2 @@", " ```sh", "-old", "+new[2J"],
      "\nTo do about a server that runs:",
      "  1. Change the provider's firewall to the new list of ports.",
      "  2. Bring the new version to the server.\n",
    ].join("\n"),
  );
  const json = await run([...diff, "--json"], api);
  expect([json.status, JSON.parse(json.out)]).toEqual([2, comparison]);
});

test("lines are coloured where the terminal shows colours, and nowhere else", async () => {
  await using api = await ScriptedApi.replying({ value: comparison });
  const { out } = await run(diff, { url: api.url, isColoured: true });
  expect(out).toContain("\u001b[31m-old\u001b[0m\n\u001b[32m+new[2J\u001b[0m");
  expect((await run(diff, api)).out).not.toContain("\u001b");
});

test("--markdown is one comment that no value and no file ends early, and that GitHub has room for", async () => {
  const long = { ...comparison.files[0], name: "long.yaml", diff: `+${"x".repeat(70_000)}\n` };
  const files = [...comparison.files, long];
  await using api = await ScriptedApi.replying({ value: { ...comparison, files } });
  const { status, out } = await run([...diff, "--markdown"], api);
  expect(status).toBe(2);
  expect(out).toMatch(/^<!-- livekit-deploy -->\n/);
  expect(out).toContain("| ` ingress ` | ` none ` | `` a\\|`b`[31m `` | ` restarts ` |");
  expect(out).toContain("````diff\n@@ -1,2 +1,2 @@\n ```sh\n-old\n+new[2J\n````\n");
  expect(out).toContain("More does not fit here");
  expect(out.length).toBeLessThan(65_536);
});

test("apply saves over what was compared, once, by the tag and one key for all tries", async () => {
  await using api = await ScriptedApi.replying(
    { value: deployment(4), headers: { etag: '"four"' } },
    { value: comparison },
    { isCut: true },
    problem(503, "unavailable", {}, { "retry-after": "7" }),
    problem(409, "in-progress", {}, { "retry-after": "1" }),
    { value: deployment(5) },
  );
  const { status, out, error, pauses } = await run(apply, api);
  expect([status, pauses]).toEqual([0, [1, 7, 4]]);
  expect(out).toMatch(/\nSaved as version 5\.\n$/);
  expect(error).toMatch(/is not reached \(\w+\)\. Trying again in 1 s\.\n.*Trying again in 7 s\./);
  const saves = api.calls.slice(2);
  expect(saves).toHaveLength(4);
  for (const { method, headers, body } of saves) {
    expect([method, headers.get("if-match")]).toEqual(["PUT", '"four"']);
    expect(body).toEqual({ name: "Production", options });
  }
  expect(new Set(saves.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  expect(api.wrong).toEqual([]);
});

test("apply sends nothing where nothing differs, and says so", async () => {
  await using api = await ScriptedApi.replying({ value: deployment(4) }, { value: equal });
  const { status, out } = await run([...apply, "--json"], api);
  expect([status, JSON.parse(out)]).toEqual([
    ...[0, { deployment: id, version: 4, changed: false, rollout: null }],
  ]);
  expect(api.calls).toHaveLength(2);
});

test("apply --server asks once that a server which runs another version takes it up", async () => {
  const runs = (version: number, is_changed = false) => ({
    ...{
      at: /servers\/[^/]+$/,
      value: server({ version: { deployment: id, version, is_changed } }),
    },
  });
  const requested = { at: /rollouts$/, status: 201, value: rollout("requested") };
  const replies = [{ value: deployment(4) }, { value: equal }];
  const line = [...apply, "--server", id];
  await using api = await ScriptedApi.replying(...replies, runs(3), requested);
  const { status, out } = await run(line, api);
  expect([status, out]).toEqual([
    0,
    "Nothing to change: version 4 has these options.\nThe rollout of version 4 is requested, 1 of 2 approvals.\n",
  ]);
  expect(api.calls.at(-1)).toMatchObject({ method: "POST", body: { version: 4 } });
  expect(api.calls.at(-1)?.body).not.toHaveProperty("window");
  expect(api.wrong).toEqual([]);
  await using nightly = await ScriptedApi.replying(...replies, runs(3), requested);
  await run([...line, "--window", "22:00-05:00"], nightly);
  expect(nightly.calls.at(-1)).toMatchObject({ body: { window: { from: 22, until: 5 } } });
  await using current = await ScriptedApi.replying(...replies, runs(4), requested);
  expect((await run(line, current)).out).toContain("The server runs version 4.\n");
  expect(current.calls).toHaveLength(3);
  await using altered = await ScriptedApi.replying(...replies, runs(4, true), requested);
  expect(JSON.parse((await run([...line, "--json"], altered)).out)).toMatchObject({
    rollout: { id, state: "requested" },
  });
});

test.each([
  ["another deployment", "0f6e2f3a-5d1c-4b7e-9a51-2c8d7e6f5a4b", "the deployment 0f6e2f3a-5d1c"],
  ["no deployment", null, "no deployment, and not of"],
])(
  "apply saves nothing and asks nothing for a server of %s",
  async (_, deploymentOfServer, said) => {
    // Of the same number, which means nothing in another deployment.
    const runs = { deployment: deploymentOfServer ?? id, version: 5, is_changed: false };
    await using api = await ScriptedApi.replying(
      ...[{ value: deployment(4) }, { value: comparison }, { value: deployment(5) }],
      { at: /servers/, value: server({ deployment: deploymentOfServer, version: runs }) },
    );
    const { status, out, error } = await run([...apply, "--server", id], api);
    expect([status, out]).toEqual([1, ""]);
    expect(error).toContain(`sfu-1 is a server of ${said}`);
    expect(error).toContain("Nothing was saved, and no rollout was requested.");
    expect(api.calls.map(({ method }) => method)).toEqual(["GET"]);
  },
);

test("apply --server requests the version where the server has that number of another deployment", async () => {
  const runs = { deployment: "another", version: 4, is_changed: false };
  await using api = await ScriptedApi.replying(
    ...[{ value: deployment(4) }, { value: equal }],
    { at: /servers\/[^/]+$/, value: server({ version: runs }) },
    { at: /rollouts$/, status: 201, value: rollout("requested") },
  );
  expect((await run([...apply, "--server", id], api)).out).toContain("is requested");
  expect(api.calls.at(-1)).toMatchObject({ method: "POST", body: { version: 4 } });
});

test("apply says that the options are saved, and ends with 1, where no rollout may be requested", async () => {
  await using api = await ScriptedApi.replying(
    ...[{ value: deployment(4) }, { value: comparison }, { value: deployment(5) }],
    ...[
      { ...problem(409, "conflict"), at: /rollouts$/ },
      { at: /servers/, value: server({}) },
    ],
  );
  const { status, out, error } = await run([...apply, "--server", id], api);
  expect([status, error]).toEqual([1, expect.stringContaining("So it is. (409 conflict")]);
  expect(out).toMatch(/\nSaved as version 5\.\n$/);
});

test.each([
  ["before it was compared", { value: { ...comparison, version: 5 } }, problem(500, "none")],
  ["before it was saved", { value: comparison }, problem(412, "changed")],
])("what somebody saved %s is not saved over", async (_, compared, then) => {
  await using api = await ScriptedApi.replying({ value: deployment(4) }, compared, then);
  const { status, error } = await run(apply, api);
  expect([status, error]).toEqual([1, expect.stringContaining("Nothing was saved")]);
});

test("what can be compared with nothing any more is saved over", async () => {
  await using api = await ScriptedApi.replying(
    { value: { ...deployment(4), options: null } },
    ...[problem(409, "not-comparable"), { value: deployment(5) }],
  );
  expect(await run(apply, api)).toMatchObject({ status: 0, out: "\nSaved as version 5.\n" });
});

test("a refusal is a sentence with the places in the file, and is not tried again", async () => {
  const errors = [
    { pointer: "#/options/rooms/departure", detail: "Must be 1." },
    { pointer: "#/options/a~1b", detail: "Is not known." },
  ];
  await using api = await ScriptedApi.replying(problem(422, "invalid-body", { errors }));
  const { status, error, pauses } = await run(diff, api);
  expect([status, pauses]).toEqual([1, []]);
  expect(error).toBe(
    "So it is.\n  rooms.departure: Must be 1.\n  a/b: Is not known.\n(422 invalid-body, request r-1)\n",
  );
});

test.each([
  ["429", problem(429, "too-often", {}, { "retry-after": "40" }), [40, 40, 40]],
  [
    "429 until a time",
    problem(429, "too-often", {}, { "retry-after": "Sun, 29 Nov 2026 10:01:00 GMT" }),
    // A time that is over asks for nothing more.
    [60, 2, 4, 8, 15, 15, 15],
  ],
  ["5xx", { status: 502, text: "<h1>Bad Gateway</h1>" }, [1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15]],
  ["an hour", problem(429, "too-many-changes", {}, { "retry-after": "3600" }), []],
])(
  "%s is tried again for two minutes at most, as long apart as the site asks",
  async (_, reply, waits) => {
    await using api = await ScriptedApi.replying(reply);
    const { status, error, pauses } = await run(diff, api);
    expect([status, pauses.slice(0, waits.length)]).toEqual([1, waits]);
    expect(error).toMatch(/Given up after (one try|\d+ tries)\.\n$/);
  },
);

test("the token goes to no other site, and to none in clear", async () => {
  await using other = await ScriptedApi.replying({ value: equal });
  await using api = await ScriptedApi.replying({
    ...{ status: 302, headers: { location: `${other.url}/api` } },
  });
  const led = await run(diff, api);
  expect([led.status, led.error]).toEqual([1, expect.stringContaining("the token is not sent")]);
  expect(other.calls).toEqual([]);
  for (const url of ["http://site.example", "ftp://site.example", "nonsense"]) {
    expect((await run([...diff, "--url", url], {})).status).toBe(1);
  }
});

test.each([
  ["", /^Set LIVEKIT_DEPLOY_TOKEN/],
  ["sk_live_abcdefghijklmnop", /^What is in LIVEKIT_DEPLOY_TOKEN is no token of a workspace/],
])("'%s' is no token: it is sent nowhere and printed nowhere", async (wrong, sentence) => {
  await using api = await ScriptedApi.replying({ value: equal });
  const { status, out, error } = await run(diff, {
    ...{ url: api.url, environment: { LIVEKIT_DEPLOY_TOKEN: wrong } },
  });
  expect([status, out, api.calls]).toEqual([1, "", []]);
  expect(error).toMatch(sentence);
  if (wrong) expect(error).not.toContain(wrong);
});

test("an answer that is none of the API's says so, and shows no trace", async () => {
  await using portal = await ScriptedApi.replying({
    ...{ text: "<html>", headers: { "content-type": "text/html" } },
  });
  const login = await run(diff, portal);
  expect([login.status, login.error]).toEqual([
    1,
    expect.stringContaining("answers 200, and not as the API does"),
  ]);
  await using newer = await ScriptedApi.replying({ value: { differs: [] } });
  expect((await run(diff, newer)).error).toContain("Download it again");
});

const wait = ["wait", "--healthy", "--server", id, "--version", "4"];

test("wait polls by the tag until the server is healthy and runs the version, and says each change once", async () => {
  const etag = { etag: '"same"' };
  await using api = await ScriptedApi.replying(
    { value: server({ version: null, state: { code: "booting" } }), headers: etag },
    ...[{ status: 304, headers: etag }, problem(502, "unavailable"), rollouts()],
    { value: server({ findings: [{ code: "a.b" }], state: { code: "degraded" } }) },
    { value: server({}) },
  );
  const { status, out, error, pauses } = await run(wait, api);
  expect([status, pauses]).toEqual([0, [10, 10, 1, 10]]);
  expect(out).toBe("Healthy: sfu-1 is healthy and runs version 4.\n");
  expect(error.match(/Waiting: .*/g)).toEqual([
    "Waiting: sfu-1 is booting and runs no known version.",
    "Waiting: sfu-1 is degraded (a.b) and runs version 4.",
  ]);
  expect(api.calls[2]?.headers.get("if-none-match")).toBe('"same"');
  expect(api.wrong).toEqual([]);
});

test.each([
  ["another version", { version: { deployment: id, version: 3, is_changed: false } }],
  ["a finding", { state: { code: "degraded" }, findings: [{ code: "a.b" }] }],
  ["no known version", { version: null }],
])("wait ends with 2 when the time is over and there is %s", async (_, of) => {
  await using api = await ScriptedApi.replying({ value: server(of) }, rollouts());
  const { status, out, pauses } = await run([...wait, "--timeout", "1m", "--json"], api);
  expect([status, pauses.length]).toEqual([2, 6]);
  expect(JSON.parse(out)).toMatchObject({ healthy: false, servers: [of] });
});

test("wait ends at once with 2 for a server that was disconnected, and with 1 where there is none", async () => {
  await using gone = await ScriptedApi.replying({ value: server({ state: { code: "retired" } }) });
  expect(await run(wait, gone)).toMatchObject({ status: 2, pauses: [] });
  await using none = await ScriptedApi.replying(problem(404, "not-found"));
  expect(await run(wait, none)).toMatchObject({ status: 1, pauses: [] });
});

test("wait says how far the rollout is, and ends with 2 when it ends and the server has not taken it up", async () => {
  const before = server({ version: { deployment: id, version: 3, is_changed: false } });
  const ended = rollout("rolled-back", { reason: "LiveKit did not answer." });
  await using api = await ScriptedApi.replying(
    ...[{ value: before }, rollouts(rollout("requested"), rollout("proved", { version: 3 }))],
    ...[rollouts(rollout("applying")), rollouts(ended)],
  );
  const { status, out, error } = await run(wait, api);
  expect([status, error.match(/is requested.*|is applying.*/g)]).toEqual([
    2,
    ["is requested, 1 of 2 approvals.", "is applying."],
  ]);
  expect(out).toMatch(/^Not healthy: .*version 4 is rolled-back: LiveKit did not answer\.\n$/);
  expect(api.wrong).toEqual([]);
});

test("a rollout that had ended before anybody waited ends no wait: the version may come by hand", async () => {
  const before = server({ version: { deployment: id, version: 3, is_changed: false } });
  await using api = await ScriptedApi.replying(
    ...[{ value: before }, { value: server({}) }, rollouts(rollout("expired"))],
  );
  expect(await run(wait, api)).toMatchObject({ status: 0, pauses: [10] });
});

test("wait for a deployment waits for every server of it on every page, and for the first one to come", async () => {
  const other = server({ name: "other", deployment: null, state: { code: "down" } });
  const [first, second] = [server({}), server({ name: "sfu-2", state: { code: "silent" } })];
  await using api = await ScriptedApi.replying(
    { value: { items: [other], next_cursor: null } },
    ...[{ value: { items: [other, first], next_cursor: "MQ" } }, { value: page(second) }],
    ...[{ value: { items: [other, first], next_cursor: "MQ" } }, { value: page(server({})) }],
  );
  const { status, error } = await run(["wait", "--healthy", "--deployment", id], api);
  expect(status).toBe(0);
  expect(error).toContain("Waiting: no server is connected for this deployment.\n");
  expect(error).toContain("sfu-2 is silent");
  expect(error).not.toContain("other");
  expect(api.wrong).toEqual([]);
});

const page = (...items: object[]) => ({ items, next_cursor: null });

test("an interruption ends a wait with 130 and says what it leaves", async () => {
  await using api = await ScriptedApi.replying(
    ...[{ value: server({ state: { code: "down" } }) }, rollouts()],
  );
  const { status, error } = await run(wait, { url: api.url, isInterrupted: true });
  expect([status, error]).toEqual([130, expect.stringMatching(/\nInterrupted\. The servers do/)]);
});

test("options are read from YAML too, and a file that is neither is refused before anything is sent", async () => {
  await using api = await ScriptedApi.replying({ value: equal });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return ["diff", join(folder, name), "--deployment", id];
  };
  expect((await run(write("a.yaml", "# Ours.\ndomain: a.example.com\n"), api)).status).toBe(0);
  expect(api.calls).toMatchObject([{ body: { options: { domain: "a.example.com" } } }]);
  for (const [name, text, sentence] of [
    ["b.json", "{", "It is no JSON"],
    ["b.yml", "a: [", "It is no YAML"],
    ["c.json", "[]", "It is no object of options."],
    ["d.json", `"${"x".repeat(33_000)}"`, "It has more than 32 KiB."],
  ] as const) {
    const { status, error } = await run(write(name, text), api);
    expect([status, error]).toEqual([1, expect.stringContaining(`${name}: ${sentence}`)]);
  }
  expect(api.calls).toHaveLength(1);
});

test.each([
  [["diff", "--deployment", id], "Name one file of options."],
  [["diff", file, file, "--deployment", id], "Name one file of options."],
  [["diff", file], "Say which: --deployment ID."],
  [["apply", file, "--deployment", "../token"], "is no id."],
  [["apply", file, "--token", token], "Unknown option '--token'"],
  [[...apply, "--window", "02:00-05:00"], "it needs --server"],
  [[...apply, "--server", id, "--window", "2-5"], "whole hours, such as 02:00-05:00"],
  [["wait", "--server", id], "Say what to wait for: --healthy."],
  [["wait", "--healthy"], "Say which: --server ID or --deployment ID."],
  [["wait", "--healthy", "--server", id, "--deployment", id], "Say which"],
  [["wait", "--healthy", "--server", id, "--version", "v4"], "is no number of a version."],
  [["wait", "--healthy", "--server", id, "--timeout", "7h"], "is above 6h."],
  [["options"], "Say which: --deployment ID."],
])("the line %j ends with 1, says why and shows the help", async (line, why) => {
  const { status, error } = await run(line, { url: "http://127.0.0.1:9" });
  expect(status).toBe(1);
  expect(error).toContain(why);
  expect(error).toContain(`Usage: livekit-deploy ${line[0]}`);
});

test.each(["audit", "options", "diff", "apply", "wait"])(
  "%s has a help of 90 columns",
  async (name) => {
    const { status, out } = await run([name, "--help"], {});
    expect(status).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: livekit-deploy ${name} `));
    expect(out.split("\n").filter((each) => each.length > 90)).toEqual([]);
  },
);
