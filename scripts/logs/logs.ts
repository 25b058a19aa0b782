// Shows what the log says of one request, with its stacks in terms of the source.
// Exit codes: 0 found, 1 nothing found or failed, 2 called wrongly.
// Run as `node -- scripts/logs/logs.ts`: without the dashes Node takes --env-file for its own.
import { dirname, join } from "node:path";
import { defaultPortBase } from "../../fakes/dev-vars.ts";
import { builtConfig } from "../deploy/worker-config.ts";
import { logFile } from "../dev/site-log.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { localFolder } from "../lib/local-folder.ts";
import { portFromEnvironment } from "../lib/ports.ts";
import { readSettings, required, UsageError } from "../lib/settings.ts";
import { PlainFailure } from "../lib/terminal.mjs";
import { cloudflareLines, type LogLine, savedLines } from "./log-lines.ts";
import { mappedStack } from "./mapped-stack.ts";

const usage = "npm run logs -- [--env-file FILE | --file LOG] REQUEST_ID";
const { values, words } = readCommandLine({
  usage,
  about: `Shows what the log says of one request, by the id that an error page and X-Request-Id have, with its stacks in terms
of the source: of the running npm start, of a saved log, or of Cloudflare's last seven days. It changes nothing.`,
  takesWords: true,
  options: {
    "env-file": {
      type: "string",
      value: "FILE",
      help: "has CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID: reads Cloudflare's log",
    },
    file: { type: "string", value: "LOG", help: "a saved log" },
  },
});
const cloudflareApi = "https://api.cloudflare.com/client/v4";

try {
  const { requestId, from, lines } = await read();
  if (lines.length === 0) throw new PlainFailure(`Nothing about ${requestId} in ${from}.`);
  for (const line of lines) console.log(formatted(line));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nUsage: ${usage}`);
    process.exitCode = 2;
  } else {
    console.error(error instanceof PlainFailure ? `✗ ${error.message}` : error);
    process.exitCode = 1;
  }
}

async function read(): Promise<{ requestId: string; from: string; lines: LogLine[] }> {
  const [requestId, another] = words;
  if (!requestId || another) throw new UsageError("Name one request id.");
  const settings = readSettings(values["env-file"]);
  if (!values.file && settings("CLOUDFLARE_API_TOKEN")) {
    const account = {
      // wrangler reads the same variable.
      apiUrl: settings("CLOUDFLARE_API_BASE_URL") ?? cloudflareApi,
      accountId: required(settings, "CLOUDFLARE_ACCOUNT_ID"),
      token: required(settings, "CLOUDFLARE_API_TOKEN"),
    };
    const lines = await cloudflareLines(account, requestId);
    return { requestId, from: "the last seven days of Cloudflare's log", lines };
  }
  if (values["env-file"]) required(settings, "CLOUDFLARE_API_TOKEN");
  const portBase = portFromEnvironment("LOCAL_PORT_BASE", defaultPortBase);
  const from = values.file ?? join(localFolder(portBase), logFile);
  return { requestId, from, lines: await savedLines(from, requestId) };
}

/** Time, level and message; then the other fields; then the stack. */
function formatted({ time, version, fields }: LogLine): string {
  const { level, message, requestId: _, stack, ...others } = fields;
  const fieldWords = Object.entries({ ...others, version })
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [
    [time?.toISOString(), level, message].filter(Boolean).join("  "),
    ...(fieldWords.length > 0 ? [`  ${fieldWords.join("  ")}`] : []),
    ...(typeof stack === "string"
      ? mappedStack(stack, dirname(builtConfig))
          .split("\n")
          .map((frame) => `    ${frame}`)
      : []),
  ].join("\n");
}
