import type { KnownAsker } from "~/access/asker.server";
import type { Session } from "~/auth/session.server";
import type { RequestContext } from "~/request/request-context";
import type { Done, Section } from "./account-outcome";

/** One request of somebody who proved well enough who they are. */
export type Asked = {
  request: Request;
  context: RequestContext;
  session: Session;
  writer: KnownAsker;
};

/** The account page at one section, with good news. */
export function accountPage(section: Section, done: Done): string {
  return `/dashboard/account?done=${done}#${section}`;
}
