import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiledCommandLine } from "../../../scripts/vite/command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "audit-"));
const program = join(folder, "livekit-deploy.mjs");
const layouts = "test/support/audit/layouts";
let code = "";

beforeAll(async () => {
  code = await compiledCommandLine();
  writeFileSync(program, code);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a line prints, and how it ends. */
function run(...line: string[]): Promise<{ status: unknown; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...line], (failure, out, error) =>
      resolve({ status: failure ? failure.code : 0, out, error }),
    );
  });
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("it is one file that needs nothing beside Node", () => {
  const imported = [...code.matchAll(/(?:from|import)\s*["']([^"'.\s]+)["']/g)].map(
    ([, name = ""]) => name.replace(/^node:/, ""),
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !builtinModules.includes(name))).toEqual([]);
  expect(code.startsWith("#!/usr/bin/env node\n")).toBe(true);
  expect(code).not.toMatch(/\bfetch\(|https?\.request|require\(/);
});

test("files without a fault end with 0, those with one with 1", async () => {
  const good = await run("audit", `${layouts}/vm/livekit.yaml`, `${layouts}/vm/caddy.yaml`);
  expect(good.status).toBe(0);
  expect(good.out).toContain("Nothing found in 2 files.");
  const bad = await run("audit", write("bad.yaml", "rtc: {}\nkeys:\n  devkey: secret\n"));
  expect(bad.status).toBe(1);
  expect(bad.out).toContain(`${join(folder, "bad.yaml")}:3: critical, insecure (keys.public)`);
  expect(bad.out).toContain("> devkey: secret");
  expect(bad.error).toBe("");
});

test("--json prints the findings with their lines, and no secret of the files", async () => {
  const secret = "Zt5yWq8vRm3nKx7c";
  const path = write("short.yaml", `rtc:\n  use_external_ip: true\nkeys:\n  APIabc: ${secret}\n`);
  const { status, out } = await run("audit", "--json", path);
  expect(status).toBe(1);
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
  [["apply"], /There is no command apply\.[\s\S]*Usage: livekit-deploy COMMAND/],
  [["constructor"], /There is no command constructor\./],
  [[], /Name a command\./],
])("%j ends with 2 and says why", async (line, why) => {
  const { status, error } = await run(...line);
  expect(status).toBe(2);
  expect(error).toMatch(why);
});

test("a file that is no configuration ends with 2, and the others are audited all the same", async () => {
  const broken = write("broken.yaml", "rtc:\n  tcp_port: [7881\nkeys: {}\n");
  const { status, out, error } = await run("audit", broken, `${layouts}/vm/livekit.yaml`);
  expect(status).toBe(2);
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
