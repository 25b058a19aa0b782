// Runs before every npm script, on any Node that package.json allows and before anything is installed: it uses
// nothing but Node itself.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { PlainFailure, step } from "./terminal.mjs";

/** @param {string} root */
function wantedInstall(root) {
  const lockfile = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256")
    .update(lockfile)
    .update(`${process.platform}-${process.arch}`)
    .digest("hex");
}

/**
 * Whether somebody has run `npm ci` by hand since the lockfile changed: npm writes its own record last.
 *
 * @param {string} root
 */
function isInstalledByHand(root) {
  const npmRecord = join(root, "node_modules/.package-lock.json");
  return (
    existsSync(npmRecord) &&
    statSync(npmRecord).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs
  );
}

/**
 * The first and the last lines of npm's output: depending on the failure, npm names the cause first or last.
 *
 * @param {string} output
 */
function beginningAndEnd(output) {
  const lines = output.trimEnd().split("\n");
  return (lines.length <= 30 ? lines : [...lines.slice(0, 12), "…", ...lines.slice(-17)]).join(
    "\n",
  );
}

/** What codes of npm and of Node mean, and what to do then. */
const causes = /** @type {const} */ ([
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/,
    "npm does not reach its registry. Look at the network or at npm's proxy, then try again.",
  ],
  [
    /\b(EROFS|EACCES|EPERM)\b/,
    "This folder cannot be written. Make it yours, or clone into one that is.",
  ],
  [/\bENOSPC\b/, "The disk is full. Make room, then try again."],
]);

/**
 * The sentence about the cause, where a failure names one that we know.
 *
 * @param {string} failure
 */
function causeOf(failure) {
  return causes.find(([codes]) => codes.test(failure))?.[1];
}

/**
 * Runs `npm ci` silently. The promise fails with the cause, and with the beginning and the end of npm's output.
 *
 * @param {string} root
 * @returns {Promise<void>}
 */
function runNpmCi(root) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, "ci", "--no-audit", "--no-fund", "--loglevel=warn"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve();
      const cause = causeOf(output);
      reject(
        new PlainFailure(
          `${cause ? `${cause}\n\n` : ""}npm ci failed:\n${beginningAndEnd(output)}`,
        ),
      );
    });
  });
}

/**
 * The package `node` installs Node inside its own folder, keeps a link to it and leaves the rest there. `npm ls`
 * would take its copy of a package for ours.
 *
 * @param {string} root
 */
function removeLeftovers(root) {
  rmSync(join(root, "node_modules/node/node_modules"), { recursive: true, force: true });
}

/**
 * Installs when the lockfile changed since the last install, and creates .dev.vars if absent.
 *
 * @param {{ root: string, install?: (root: string) => Promise<void> }} options
 * @returns {Promise<"installed" | "up to date">}
 */
export async function setUp({ root, install = runNpmCi }) {
  const devVars = join(root, ".dev.vars");
  if (!existsSync(devVars)) {
    copyFileSync(join(root, ".dev.vars.example"), devVars, constants.COPYFILE_EXCL);
    console.log("✓ Created .dev.vars from .dev.vars.example");
  }
  const record = join(root, "node_modules/.setup");
  const wanted = wantedInstall(root);
  if (existsSync(record) ? readFileSync(record, "utf8") === wanted : isInstalledByHand(root)) {
    removeLeftovers(root);
    if (!existsSync(record)) writeFileSync(record, wanted);
    return "up to date";
  }
  await step("Installing packages", () => install(root));
  removeLeftovers(root);
  writeFileSync(record, wanted);
  return "installed";
}

/**
 * The oldest major version of Node that `engines` in package.json allows.
 *
 * @param {string} root
 */
function oldestNode(root) {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Number(engines.node.replace(">=", ""));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const oldest = oldestNode(root);
  if (Number(process.versions.node.split(".")[0]) < oldest) {
    console.error(`Node ${process.versions.node} is too old: install Node ${oldest} or newer.`);
    process.exit(1);
  }
  try {
    await setUp({ root });
  } catch (error) {
    console.error(error instanceof PlainFailure ? error.message : (causeOf(`${error}`) ?? error));
    process.exit(1);
  }
}
