// Looks whether a deployed site does what it must. Exit codes: 0 it does, 1 not, 2 called wrongly.
import { readCommandLine } from "../lib/command-line.ts";
import { readSettings, UsageError } from "../lib/settings.ts";
import { readRetryFor, readSite, report } from "./call.ts";
import { comparePrices } from "./prices.ts";
import { smokeTest } from "./smoke-test.ts";

const usage = "npm run smoke -- SITE [--version ID] [--patience SECONDS] [--env-file FILE]";
const { values, words } = readCommandLine({
  usage,
  about: `Looks at a deployed site from outside: pages, headers, health. It changes nothing, and takes some seconds.`,
  takesWords: true,
  options: {
    version: { type: "string", value: "ID", help: "the version of the Worker that must answer" },
    patience: {
      type: "string",
      default: "10",
      value: "SECONDS",
      help: "how long what is not yet well is looked at again",
    },
    "env-file": {
      type: "string",
      value: "FILE",
      help: "the site's variables: its prices are then compared with Stripe's",
    },
  },
});

try {
  const { site, version, retryForMs, envFile } = readCall();
  const prices = envFile === undefined ? [] : await comparePrices(readSettings(envFile));
  const allWell = report([
    ...(await smokeTest(site, { versions: { site: version }, retryForMs })),
    ...prices,
  ]);
  if (envFile === undefined) {
    console.log(
      "– not compared: the prices at Stripe. Name the file with the site's variables: --env-file FILE",
    );
  }
  process.exitCode = allWell ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\nUsage: ${usage}`);
  process.exitCode = 2;
}

function readCall() {
  const [site, ...others] = words;
  if (!site || others.length > 0) throw new UsageError("Name one site.");
  return {
    site: readSite(site),
    version: values.version,
    retryForMs: readRetryFor(values.patience),
    envFile: values["env-file"],
  };
}
