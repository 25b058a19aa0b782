import { randomUUID } from "node:crypto";
import { type Comparison, comparisonAnswer, deploymentAnswer } from "./api/answers.ts";
import { Api, apiHelp, apiOptions } from "./api/api.ts";
import { Refusal } from "./api/refusal.ts";
import { type Command, exitCodes, Failure, idOf, readLine, type Terminal } from "./command.ts";
import { isEqual, textOf } from "./comparison-text.ts";
import { optionsIn } from "./options-file.ts";
import { jsonText } from "./text.ts";

export const applyCommand: Command = {
  about: "saves the options in a file as a new version",
  help: `Usage: livekit-deploy apply FILE --deployment ID [--json] [--url URL]

Saves the options in FILE as a new version of the deployment, and prints what that
changes, as \`diff\` does. The same options again change nothing. If somebody saved in
between, nothing is saved and it says so. FILE is JSON, or YAML where its name ends so;
what it leaves out has its default. No server is changed by saving. The token needs the
scope deployments:write.

  --deployment ID   which one; the address of its page has it
  --json            prints the deployment's id, its version and whether it changed
  --url URL         the site, instead of LIVEKIT_DEPLOY_URL
  --help            prints this

Ends with 0 when the options are saved, now or before, and with 1 when they are not.

${apiHelp}
`,
  whenInterrupted: "Whether the options were saved, `livekit-deploy diff` says.",
  async run(line, terminal) {
    const { values, positionals } = readLine(line, {
      ...apiOptions,
      deployment: { type: "string" },
    });
    const options = optionsIn(positionals);
    const id = idOf("--deployment", values.deployment);
    const api = new Api(terminal, values.url);
    const applied = await saved(api, id, options, values.json ? undefined : terminal);
    if (values.json) terminal.print(jsonText({ deployment: id, ...applied }));
    else if (applied.changed) terminal.print(`\nSaved as version ${applied.version}.\n`);
    else terminal.print(`Nothing to change: version ${applied.version} has these options.\n`);
    return exitCodes.done;
  },
};

/** Saves options over what they were compared with; `reader` is who reads the comparison. */
async function saved(
  api: Api,
  id: string,
  options: Record<string, unknown>,
  reader: Terminal | undefined,
): Promise<{ version: number; changed: boolean }> {
  const path = `/deployments/${id}`;
  const { value: before, etag } = await api.get(path, deploymentAnswer);
  const comparison = await comparisonOf(api, path, options);
  if (comparison && comparison.version !== before.version) throw new Failure(savedMeanwhile);
  if (comparison && isEqual(comparison)) return { version: before.version, changed: false };
  if (comparison) reader?.print(textOf(comparison, reader.isColoured));
  const sent = {
    body: { name: before.name, options },
    // One for all tries, so that it is saved once.
    headers: { "if-match": etag, "idempotency-key": randomUUID() },
  };
  try {
    const { value: after } = await api.send("PUT", path, deploymentAnswer, sent);
    return { version: after.version, changed: after.version !== before.version };
  } catch (error) {
    throw error instanceof Refusal && error.code === "changed"
      ? new Failure(savedMeanwhile)
      : error;
  }
}

const savedMeanwhile =
  "Somebody else saved this deployment just now. Nothing was saved: look at it, and run this again.";

/** Undefined where what was saved makes no server any more, so that there is nothing to compare with. */
async function comparisonOf(
  api: Api,
  path: string,
  options: Record<string, unknown>,
): Promise<Comparison | undefined> {
  try {
    const sent = { body: { options } };
    return (await api.send("POST", `${path}/comparison`, comparisonAnswer, sent)).value;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not-comparable") return;
    throw error;
  }
}
