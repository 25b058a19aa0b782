import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isWorthShowing, logFile, startLog } from "../../../scripts/dev/site-log.ts";

/** Lines as wrangler prints them, with and without the colours of a terminal. */
const output = [
  '{"level":"info","message":"Somebody signed in","requestId":"request-1"}',
  '▲ [WARNING] {"level":"warn","message":"KV did not answer","requestId":"request-2"}',
  '\u001b[31m✘ \u001b[41m[ERROR]\u001b[0m {"level":"error","message":"A request failed","requestId":"request-3"}',
  "[wrangler:info] GET / 200 OK (5ms)",
  "✘ [ERROR] The build failed",
  '{"not":"ours"}',
];

test("what the Worker logs is kept with its time, and nothing else of the output", () => {
  const folder = mkdtempSync(join(tmpdir(), "site-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  startLog(folder)('{"level":"info","message":"of a run before"}');
  const write = startLog(folder);
  for (const line of output) write(line);
  const lines = readFileSync(join(folder, logFile), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "info", requestId: "request-1" },
    { level: "warn", requestId: "request-2" },
    { level: "error", requestId: "request-3" },
  ]);
  for (const line of lines) expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test("errors are shown, those of the Worker and those of wrangler", () => {
  expect(output.filter(isWorthShowing)).toEqual([output[2], output[4]]);
});

test("a browser that leaves is no error; what else workerd catches is one", () => {
  const caught = "✘ [ERROR] kj::getCaughtExceptionAsKj() = rust/cxx/kj-rs-io/ffi.rs:176:";
  const left = ["write(): Broken pipe (os error 32)", "read(): Connection reset by peer"];
  for (const how of left) expect(isWorthShowing(`${caught} disconnected: ${how}`)).toBe(false);
  expect(isWorthShowing(`${caught} failed: expected a value`)).toBe(true);
  expect(isWorthShowing("✘ [ERROR] The build failed: Broken pipe")).toBe(true);
});
