import { deploymentAnswer } from "./api/answers.ts";
import { Api, apiHelp, apiOptions } from "./api/api.ts";
import { type Command, exitCodes, Failure, idOf, readLine, UsageError } from "./command.ts";
import { jsonText } from "./text.ts";

export const optionsCommand: Command = {
  about: "prints the saved options of a deployment, to begin a file with",
  help: `Usage: livekit-deploy options --deployment ID [--url URL] >FILE

Prints the options of a deployment as they were saved last, in JSON: the file that
\`diff\` and \`apply\` take. It has no secret. The address of the deployment's page has
its id. The token needs the scope deployments:read.

${apiHelp}
`,
  whenInterrupted: "Nothing was changed.",
  async run(line, terminal) {
    const { values, positionals } = readLine(line, {
      ...apiOptions,
      deployment: { type: "string" },
    });
    if (positionals.length > 0) throw new UsageError("It takes no file: it prints one.");
    const id = idOf("--deployment", values.deployment);
    const api = new Api(terminal, values.url);
    const { value } = await api.get(`/deployments/${id}`, deploymentAnswer);
    if (!value.options) {
      throw new Failure(`The options of version ${value.version} no longer make a server.`);
    }
    terminal.print(jsonText(value.options));
    return exitCodes.done;
  },
};
