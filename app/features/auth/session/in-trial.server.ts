import type { Session } from "./session.server";

/** Whether the visitor is in a trial: their verified token says it, so that no other reading has to succeed. */
export async function isInTrial({ visitor }: Pick<Session, "visitor">): Promise<boolean> {
  const current = await visitor();
  return current.state === "signed-in" && current.isTrial;
}
