import { comparisonAnswer } from "./api/answers.ts";
import { Api, apiHelp, apiOptions } from "./api/api.ts";
import { type Command, exitCodes, idOf, readLine } from "./command.ts";
import { isEqual, markdownOf, textOf } from "./comparison-text.ts";
import { optionsIn } from "./options-file.ts";
import { jsonText } from "./text.ts";

export const diffCommand: Command = {
  about: "says what the options in a file would change",
  help: `Usage: livekit-deploy diff FILE --deployment ID [--json | --markdown] [--url URL]

Compares the options in FILE with those that were saved last, and prints what differs
in the options and in the files that are made of them, and what that asks of a server
that runs. It changes nothing. FILE is JSON, or YAML where its name ends so; what it
leaves out has its default. The token needs the scope deployments:read.

  --deployment ID   which one; the address of its page has it
  --json            prints the comparison as JSON
  --markdown        prints it for a comment of a pull request
  --url URL         the site, instead of LIVEKIT_DEPLOY_URL
  --help            prints this

Ends with 0 when nothing differs, with 2 when something does, and with 1 when it could
not be compared: the options make no server, the token is not for this, the site was
not reached.

${apiHelp}
`,
  whenInterrupted: "Nothing was changed.",
  async run(line, terminal) {
    const { values, positionals } = readLine(line, {
      ...apiOptions,
      ...{ deployment: { type: "string" }, markdown: { type: "boolean" } },
    });
    const options = optionsIn(positionals);
    const id = idOf("--deployment", values.deployment);
    const { value } = await new Api(terminal, values.url).send(
      ...(["POST", `/deployments/${id}/comparison`, comparisonAnswer] as const),
      { body: { options } },
    );
    terminal.print(
      values.json
        ? jsonText(value)
        : values.markdown
          ? markdownOf(value)
          : textOf(value, terminal.isColoured),
    );
    return isEqual(value) ? exitCodes.done : exitCodes.no;
  },
};
