import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { portBase } from "../../support/site/own-site.ts";

/** A block of shell of CONTRIBUTING.md, "The first hour". */
type Block = { number: string; commands: string };

const [, section = ""] =
  /\n## The first hour\n([\s\S]*?)\n## /.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
const blocks: Block[] = [...section.matchAll(/\n(\d)\. [\s\S]*?(?=\n\d\. |$)/g)].flatMap(
  ([text, number = ""]) =>
    [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands = ""]) => ({
      number,
      commands: commands.replaceAll(/^ {3}/gm, "").trim(),
    })),
);

/** What stays until Ctrl-C, and the line that says it is ready. */
const servers = ["npm start", "npm run dev"];
const ready = "Ctrl-C ends everything.";

// Beside the packages, which the clone takes by links: there are none to another disk.
const localFolder = resolve(".local");
mkdirSync(localFolder, { recursive: true });
const folder = mkdtempDisposableSync(join(localFolder, "first-hour-"));
const clone = join(folder.path, "clone");
/** A newcomer has a PATH and a home. The ports are moved, since this machine may run the site already. */
const home = join(folder.path, "home");
const port = String(portBase + 24);
const environment = [
  `PATH=${pathWithoutOurs()}`,
  `HOME=${home}`,
  `PORT=${port}`,
  `LOCAL_PORT_BASE=${portBase + 15}`,
];

/** npm puts this checkout's own programs before the others. */
function pathWithoutOurs(): string {
  return (process.env.PATH ?? "")
    .split(":")
    .filter((part) => !part.includes("node_modules"))
    .join(":");
}

let server: { end(): Promise<void> } | undefined;

/** Starts a command that stays, and waits until it says that it is ready. */
async function startServer(command: string): Promise<string> {
  await server?.end();
  const child = spawn("env", ["-i", ...environment, "sh", "-c", command], {
    cwd: clone,
    detached: true,
  });
  const exited = once(child, "exit");
  let output = "";
  server = {
    async end() {
      server = undefined;
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      await exited;
    },
  };
  const isReady = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += stripVTControlCharacters(String(chunk));
        if (output.includes(ready)) resolve();
      });
    }
  });
  await Promise.race([isReady, exited]);
  return output;
}

/** Runs what ends by itself; stops at the first command that fails. */
async function run(commands: string): Promise<{ code: number; output: string }> {
  const child = spawn("env", ["-i", ...environment, "sh", "-ec", commands], { cwd: clone });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += stripVTControlCharacters(String(chunk));
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

function mustRun(command: string, parameters: string[]): void {
  const { status, stderr } = spawnSync(command, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")}: ${stderr}`);
}

/**
 * A clone of the last commit. Where this checkout has an install that scripts/lib/setup.mjs knows to be complete, its
 * packages are not downloaded once more: the clone gets links to the same files, without what tools have left there.
 * Otherwise `npm start` installs them, as it does for everybody.
 */
beforeAll(() => {
  mkdirSync(home);
  mustRun("git", ["clone", "--quiet", "--no-hardlinks", ".", clone]);
  if (!existsSync("node_modules/.setup")) return;
  const link = process.platform === "linux" ? "-al" : "-R";
  mustRun("cp", [link, "node_modules", join(clone, "node_modules")]);
  for (const left of [".cache", ".vite", ".vite-temp", ".vitest"]) {
    rmSync(join(clone, "node_modules", left), { recursive: true, force: true });
  }
}, 300_000);

afterAll(async () => {
  await server?.end();
  folder.remove();
}, 300_000);

test("the first hour names commands to run, and nothing that would change this machine", () => {
  expect(blocks.map(({ commands }) => commands.split("\n")[0])).toEqual([
    "npm start",
    "npm run seed",
    "npm run machine -- --help",
    "git grep -n pricing app/routes.ts",
    "npx vitest run --project unit test/unit/billing/plans.test.ts",
    "npm run dev",
  ]);
});

test("every command of the first hour does what CONTRIBUTING.md says, in a fresh clone", async () => {
  const outputs = new Map<string, string>();
  for (const { number, commands } of blocks) {
    if (servers.includes(commands)) {
      const output = await startServer(commands);
      expect(output, commands).toContain(ready);
      const page = await fetch(`http://localhost:${port}/`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("LiveKit")]);
      // The list of common passwords is a static asset: the build serves it from its folder, Vite from the sources.
      const signUp = { intent: "sign_up", email: "new@example.com", password: "12345678" };
      const refused = await fetch(`http://localhost:${port}/signin`, {
        method: "POST",
        headers: { Origin: `http://localhost:${port}` },
        body: new URLSearchParams(signUp),
      });
      expect([commands, refused.status]).toEqual([commands, 422]);
      continue;
    }
    const { code, output } = await run(commands);
    expect(code, `${commands}\n${output}`).toBe(0);
    outputs.set(number, output);
  }
  expect(outputs.get("2")).toMatch(/E-mail +\S+@\S+\n +Password +\S/);
  expect(outputs.get("3")).toContain("--fault FAULT");
  expect(outputs.get("5")).toContain("app/routes.ts:");
  expect(outputs.get("5")).toMatch(
    /app\/content\/plans\.ts:[\s\S]*test\/unit\/billing\/plans\.test\.ts:/,
  );
  expect(outputs.get("6")).toMatch(
    /[1-9] passed[\s\S]*[1-9] failed[\s\S]*It fails, as it should\./,
  );
  await server?.end();
  const left = await run("git status --porcelain");
  expect(left.output).toBe("");
  expect(existsSync(join(clone, ".dev.vars"))).toBe(true);
}, 900_000);
