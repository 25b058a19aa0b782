import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine, type Ran } from "../../support/api/command-line.ts";

const layouts = resolve("test/support/audit/layouts");
let commandLine: CommandLine;

beforeAll(async () => {
  commandLine = await CommandLine.compiled();
});
afterAll(() => commandLine.remove());

const run = (...line: string[]): Promise<Ran> => commandLine.run(line);
const write = (name: string, text: string): string => commandLine.write(name, text);

test("it is one file that needs nothing beside Node", () => {
  const code = readFileSync(commandLine.program, "utf8");
  const imported = [...code.matchAll(/(?:from|import)\s*["']([^"'.\s]+)["']/g)].map(
    ([, name = ""]) => name.replace(/^node:/, ""),
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !builtinModules.includes(name))).toEqual([]);
  expect(code.startsWith("#!/usr/bin/env node\n")).toBe(true);
  expect(code).not.toMatch(/https?\.request|require\(/);
});

test("an audit opens no connection", async () => {
  const refuses = write(
    "offline.mjs",
    'import net from "node:net";\nnet.Socket.prototype.connect = () => process.exit(99);\n',
  );
  const offline = { NODE_OPTIONS: `--import=${refuses}` };
  const { status } = await commandLine.run(["audit", `${layouts}/vm/livekit.yaml`], offline);
  expect(status).toBe(0);
  // What would end the program does so where a command asks the site.
  const id = "0d5e4f3a-1b2c-4d5e-8f90-a1b2c3d4e5f6";
  const online = await commandLine.run(["options", "--deployment", id], {
    ...{ ...offline, LIVEKIT_DEPLOY_URL: "http://127.0.0.1:4321" },
    LIVEKIT_DEPLOY_TOKEN: `lkd_w_${"a".repeat(43)}`,
  });
  expect(online.status).toBe(99);
});

test("files without a fault end with 0, those with one with 2", async () => {
  const good = await run("audit", `${layouts}/vm/livekit.yaml`, `${layouts}/vm/caddy.yaml`);
  expect(good.status).toBe(0);
  expect(good.out).toContain("Nothing found in 2 files.");
  const bad = await run("audit", write("bad.yaml", "rtc: {}\nkeys:\n  devkey: secret\n"));
  expect(bad.status).toBe(2);
  expect(bad.out).toContain(
    `${join(commandLine.folder, "bad.yaml")}:3: critical, insecure (keys.public)`,
  );
  expect(bad.out).toContain("> devkey: secret");
  expect(bad.error).toBe("");
});

test("--json prints the findings with their lines, and no secret of the files", async () => {
  const secret = "Zt5yWq8vRm3nKx7c";
  const path = write("short.yaml", `rtc:\n  use_external_ip: true\nkeys:\n  APIabc: ${secret}\n`);
  const { status, out } = await run("audit", "--json", path);
  expect(status).toBe(2);
  const report = JSON.parse(out);
  expect(report.files).toEqual([{ name: path, kind: "livekit" }]);
  expect(report.findings).toContainEqual(
    expect.objectContaining({
      code: "keys.short",
      severity: "critical",
      fault: "insecure",
      file: path,
      line: 4,
      text: expect.stringMatching(/^APIabc: •+0$/),
      source: expect.stringMatching(/^https:/),
      mend: expect.stringContaining("keys:"),
    }),
  );
  expect(out).not.toContain(secret);
});

test.each([
  [["audit", "nowhere.yaml"], /nowhere\.yaml:1: There is no such file\./],
  [["audit", layouts], /It is a folder\./],
  [["audit"], /Name the files of your server\.[\s\S]*Usage: livekit-deploy audit/],
  [["audit", "--fix", "livekit.yaml"], /Unknown option '--fix'[\s\S]*Usage: livekit-deploy audit/],
  [["fix"], /There is no command fix\.[\s\S]*Usage: livekit-deploy COMMAND/],
  [["constructor"], /There is no command constructor\./],
  [[], /Name a command\./],
])("%j ends with 1 and says why", async (line, why) => {
  const { status, error } = await run(...line);
  expect(status).toBe(1);
  expect(error).toMatch(why);
});

test("a file that is no configuration ends with 1, and the others are audited all the same", async () => {
  const broken = write("broken.yaml", "rtc:\n  tcp_port: [7881\nkeys: {}\n");
  const { status, out, error } = await run("audit", broken, `${layouts}/vm/livekit.yaml`);
  expect(status).toBe(1);
  expect(error).toMatch(/broken\.yaml:\d+: /);
  expect(out).toContain("Nothing found in 1 file.");
});

test.each([["--help"], ["audit", "--help"], ["--version"]])(
  "%s answers and ends with 0",
  async (...line) => {
    const { status, out, error } = await run(...line);
    expect({ status, error }).toEqual({ status: 0, error: "" });
    expect(out).toMatch(/^(Usage: livekit-deploy|\d+\.\d+\.\d+\n$)/);
  },
);
