import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readNode } from "../../../scripts/deploy/program.ts";
import { testInProof } from "../../support/run/variants.ts";

const server = "build/server";

testInProof(
  "the Worker is uploaded with its source maps, which its size does not count",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "upload-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const form = join(folder, "upload.form");
    const { code, output } = await readNode("node_modules/wrangler/bin/wrangler.js", [
      "deploy",
      `--config=${server}/wrangler.json`,
      "--dry-run",
      `--outfile=${form}`,
    ]);
    expect(code).toBe(0);
    const uploaded = [
      ...readFileSync(form, "utf8").matchAll(
        /^Content-Disposition: form-data; name=".+"; filename="(.+)"\r?$/gm,
      ),
    ].map(([, name]) => name);
    const modules = globSync("**/*.js", { cwd: server });
    // A module that only hands on another one's exports has no code to map.
    const mapped = modules.filter((file) =>
      readFileSync(join(server, file), "utf8").includes("sourceMappingURL="),
    );
    expect(mapped).toContain("index.js");
    expect(uploaded.toSorted()).toEqual(
      [...modules, ...mapped.map((file) => `${file}.map`)].toSorted(),
    );

    const bytes = modules.reduce((sum, file) => sum + statSync(join(server, file)).size, 0);
    expect(output).toContain(`Total Upload: ${(bytes / 1024).toFixed(2)} KiB`);
  },
);

test("nobody is sent a source map", () => {
  expect(globSync("build/client/**/*.map")).toEqual([]);
  const scripts = globSync("build/client/assets/*.js");
  expect(scripts.length).toBeGreaterThan(20);
  expect(
    scripts.filter((file) => readFileSync(file, "utf8").includes("sourceMappingURL=")),
  ).toEqual([]);
});
