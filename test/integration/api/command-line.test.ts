import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sha256Hex } from "../../../app/http/hashes.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { CommandLine } from "../../support/api/command-line.ts";
import { storeVersion } from "../../support/deployments/deployments.ts";
import { machine } from "../../support/servers/report-lines.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

let commandLine: CommandLine;
let team: ApiTeam;
let writer: Record<string, string>;
let reader: Record<string, string>;

beforeAll(async () => {
  commandLine = await CommandLine.compiled();
});
afterAll(() => commandLine.remove());
beforeEach(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  const at = { LIVEKIT_DEPLOY_URL: siteUrl };
  const token = await team.token(["deployments:write", "servers:read"]);
  writer = { ...at, LIVEKIT_DEPLOY_TOKEN: token };
  reader = { ...at, LIVEKIT_DEPLOY_TOKEN: await team.token(["deployments:read"], "Reader") };
});

const of = () => ["--deployment", team.deployment];

/** The options that are saved, in a file, with a change. */
async function optionsFile(change: object = {}): Promise<string> {
  const { status, out } = await commandLine.run(["options", ...of()], reader);
  expect(status).toBe(0);
  return commandLine.write("livekit.json", { ...JSON.parse(out), ...change });
}

/** The machine reports that it is well and runs a version. */
const reports = (seq: number, version: number, lines: string[] = []) =>
  team.machine.report(seq, lines, {
    "made-from": `${team.deployment}\t${version}\t${machine.version}`,
  });

test("an option that is kept in git is changed, shown, saved and waited for; the same twice changes nothing", async () => {
  const file = await optionsFile();
  const same = await commandLine.run(["diff", file, ...of()], reader);
  expect(same).toEqual({ status: 0, out: "Nothing differs from version 2.\n", error: "" });

  await optionsFile({ monitoring: "advanced" });
  const different = await commandLine.run(["diff", file, ...of()], reader);
  expect([different.status, different.error]).toEqual([2, ""]);
  expect(different.out).toContain("1 option and");
  expect(different.out).toContain("monitoring  basic → advanced (a running server restarts)");
  expect(different.out).toMatch(/^docker-compose\.yaml: changed, \+\d+ -\d+$/m);
  expect(different.out).toMatch(/^\+.*prometheus/m);

  const saved = await commandLine.run(["apply", file, ...of()], writer);
  expect([saved.status, saved.error]).toEqual([0, ""]);
  expect(saved.out).toBe(`${different.out}\nSaved as version 3.\n`);
  const again = await commandLine.run(["apply", file, ...of()], writer);
  expect(again).toEqual({
    ...{ status: 0, error: "", out: "Nothing to change: version 3 has these options.\n" },
  });
  const json = await commandLine.run(["apply", file, ...of(), "--json"], writer);
  expect(JSON.parse(json.out)).toEqual({
    ...{ deployment: team.deployment, version: 3, changed: false, rollout: null },
  });
  const lines = await runSql(
    "select from public.audit_log where action = 'deployment.saved' and actor_address like 'Token CI %'",
  );
  expect(lines).toHaveLength(1);

  await reports(5, 2);
  const wait = ["wait", "--healthy", ...of(), "--version", "3", "--timeout"];
  const early = await commandLine.run([...wait, "1s"], writer);
  expect([early.status, early.out]).toEqual([
    2,
    "Not healthy: sfu-1 is healthy and runs version 2.\n",
  ]);
  await reports(6, 3);
  expect(await commandLine.run([...wait, "2m"], writer)).toEqual({
    ...{ status: 0, out: "Healthy: sfu-1 is healthy and runs version 3.\n", error: "" },
  });
});

test("what somebody saved in between is not lost, and a token that only reads saves nothing", async () => {
  const file = await optionsFile({ monitoring: "advanced" });
  const refused = await commandLine.run(["apply", file, ...of()], reader);
  expect([refused.status, refused.error]).toEqual([
    1,
    expect.stringContaining("does not have the scope deployments:write"),
  ]);
  await storeVersion(team.email, team.deployment, { ...team.options, ingress: "none" }, 2);
  const late = await commandLine.run(["diff", file, ...of()], reader);
  expect([late.status, late.out]).toEqual([2, expect.stringContaining("differ from version 3.")]);
});

test("options that make no server end with 1, with the name of each in the file", async () => {
  const file = await optionsFile({ domain: "no domain", nonsense: 1 });
  for (const command of ["diff", "apply"]) {
    const { status, out, error } = await commandLine.run([command, file, ...of()], writer);
    expect([status, out]).toEqual([1, ""]);
    expect(error).toMatch(/^ {2}domain: /m);
    expect(error).toMatch(/^ {2}nonsense: There is no such option here\.$/m);
    expect(error).toMatch(/\(422 invalid-body, request [\w-]+\)/);
  }
});

test("the site serves the same program that was tested", async () => {
  const served = await fetch(`${siteUrl}/livekit-deploy.mjs`);
  expect(served.headers.get("content-type")).toContain("javascript");
  const tested = await sha256Hex(readFileSync(commandLine.program, "utf8"));
  expect(await sha256Hex(await served.text())).toBe(tested);
});
