import type { Variables } from "../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { mailsTo } from "../auth/inbox.ts";
import { database } from "../database/database.ts";
import { portBase, startOwnWorker } from "../site/own-site.ts";
import { pollUntil } from "../site/poll.ts";
import { variable } from "../site/variables.ts";

/** Who gets the messages. */
export const support = variable("SUPPORT_EMAIL");

export const message = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  topic: "sales",
  message: "How many servers does Pro deploy?\r\nWe run three rooms.",
};

export async function storedMessages() {
  const { data } = await database.from("contact_messages").select().throwOnError();
  return data;
}

/** What was mailed to support, waited for: the mail goes out after the answer. */
export function mailsToSupport() {
  return pollUntil(
    () => mailsTo(support),
    (mails) => mails.length > 0,
    30_000,
  );
}

/** A site of its own, for what must go wrong there only. */
export function siteWith(changes: Variables) {
  return startOwnWorker((siteUrl) => ({ ...exampleVariables({ siteUrl, portBase }), ...changes }));
}
