import type { Visitor } from "../site/visitor.ts";

/**
 * Asks for an enrolment token as the form of a deployment's page does; `page` is its path, `machines` what is typed for
 * their number. Answers the status and the page, and the token on it, which is empty where none was made.
 */
export async function askForToken(owner: Visitor, page: string, machines = "1") {
  const response = await owner.post(page, { intent: "connect", machines });
  const text = await response.text();
  return { status: response.status, text, token: /lkd_e_\w+/.exec(text)?.[0] ?? "" };
}
