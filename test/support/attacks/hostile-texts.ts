import { changeOwn, newTokenOf, report, usageOf } from "../agents/agent.ts";
import { database, userIdOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import type { Visitor } from "../site/visitor.ts";

/** Texts that run or leave their place in a page that shows them without care. */
export const runningTexts = [
  "<img src=x onerror=window.xss=1>",
  "</script><script>window.xss=1</script>",
  '" autofocus onfocus="window.xss=1" x="',
  "' onmouseover='window.xss=1",
  "</textarea></title></style><svg onload=window.xss=1>",
  "javascript:window.xss=1",
  "<!--<script>window.xss=1//-->",
  "{{constructor.constructor('window.xss=1')()}}",
  "\u2028</p><iframe srcdoc='<script>parent.xss=1</script>'></iframe>",
] as const;

const every = runningTexts.join(" ");

/**
 * Puts such texts into every field that is stored and shown to its owner: names and choices of
 * deployments with their versions, configuration, tokens, identities, usage and allowances. Past the
 * site where the site would refuse them. Answers the deployment's id.
 */
export async function storeHostileTexts(visitor: Visitor, email: string): Promise<string> {
  const owner = await userIdOf(email);
  const hostile = {
    ...fullOptions(),
    domain: `${runningTexts[0]}.example.com`,
    email: `${runningTexts[2]}@b.co`,
  };
  const id = await storeDeployment(email, fullOptions(), every.slice(0, 80));
  await storeVersion(email, id, { ...fullOptions(), domain: "two.example.com" }, 1);
  for (const text of runningTexts) await storeDeployment(email, hostile, text.slice(0, 80));
  await database
    .from("deployments")
    .update({ name: every.slice(0, 80) })
    .eq("id", id)
    .throwOnError();
  for (const [version, text] of runningTexts.entries()) {
    await database
      .rpc("save_model_configuration", {
        owner,
        saver: text,
        expected_version: version,
        new_model: text.slice(0, 100),
        new_instructions: every,
        new_voice: text.slice(0, 20),
        new_transcription_model: text.slice(0, 100),
      })
      .throwOnError();
    const token = await newTokenOf(visitor, text.slice(0, 60));
    await changeOwn(visitor, { intent: "set-allowance", identity: text, tokens: "5" });
    await report(token, {
      event_id: `event-${version}`,
      identity: text,
      timestamp: new Date().toISOString(),
      usage: usageOf(100, 60),
    });
    if (version > 5) break;
  }
  return id;
}
