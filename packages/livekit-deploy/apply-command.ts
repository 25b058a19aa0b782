import { randomUUID } from "node:crypto";
import { type Comparison, comparisonAnswer, deploymentAnswer } from "./api/answers.ts";
import { Api, apiHelp, apiOptions } from "./api/api.ts";
import { Refusal } from "./api/refusal.ts";
import { type Command, exitCodes, Failure, idOf, readLine, type Terminal } from "./command.ts";
import { isEqual, textOf } from "./comparison-text.ts";
import { optionsIn } from "./options-file.ts";
import { requestedRollout, rolloutText, serverOf, windowIn } from "./rollout.ts";
import { jsonText } from "./text.ts";

export const applyCommand: Command = {
  about: "saves the options in a file as a new version",
  help: `Usage: livekit-deploy apply FILE --deployment ID [--server ID] [--window HOURS]
                            [--json] [--url URL]

Saves the options in FILE as a new version of the deployment, and prints what that
changes, as \`diff\` does. The same options again change nothing. If somebody saved in
between, nothing is saved and it says so. FILE is JSON, or YAML where its name ends so;
what it leaves out has its default. The token needs the scope deployments:write.

No server is changed by saving. With --server, the rollout to that server is requested,
which needs servers:write; people approve it on the server's page with their passkeys,
and \`wait\` waits for it. A server that runs these options already is asked nothing.
For a server of another deployment nothing is saved.

  --deployment ID   which one; the address of its page has it
  --server ID       the server that is to take up the version
  --window HOURS    when that server begins it, such as 02:00-05:00, by the clocks of the
                    workspace's time zone; at once, after its approval, without this
  --json            prints the deployment's id, its version, whether it changed, and the
                    rollout's id and state
  --url URL         the site, instead of LIVEKIT_DEPLOY_URL
  --help            prints this

Ends with 0 when the options are saved, now or before, and with 1 when they are not, or
no rollout could be requested.

${apiHelp}
`,
  whenInterrupted: "Whether the options were saved, `livekit-deploy diff` says.",
  async run(line, terminal) {
    const { values, positionals } = readLine(line, {
      ...apiOptions,
      ...{ deployment: { type: "string" }, server: { type: "string" } },
      window: { type: "string" },
    });
    const options = optionsIn(positionals);
    const id = idOf("--deployment", values.deployment);
    const serverId = values.server === undefined ? undefined : idOf("--server", values.server);
    const window = windowIn(values.window, serverId);
    const api = new Api(terminal, values.url);
    // Before anything is saved.
    const server = serverId === undefined ? undefined : await serverOf(api, id, serverId);
    const applied = await saved(api, id, options, values.json ? undefined : terminal);
    const { version, changed } = applied;
    if (!values.json) {
      terminal.print(
        changed
          ? `\nSaved as version ${version}.\n`
          : `Nothing to change: version ${version} has these options.\n`,
      );
    }
    const rollout =
      server === undefined ? undefined : await requestedRollout(api, server, version, window);
    if (values.json) {
      const requested = rollout ? { id: rollout.id, state: rollout.state } : null;
      terminal.print(jsonText({ deployment: id, ...applied, rollout: requested }));
    } else if (server !== undefined) {
      terminal.print(
        rollout ? `${rolloutText(rollout)}\n` : `The server runs version ${version}.\n`,
      );
    }
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
