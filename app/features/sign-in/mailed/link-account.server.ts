import * as z from "zod/mini";
import { identifyPrincipal } from "~/features/auth/session/principal.server";
import type { Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import type { LinkType, MailedLink } from "./mailed-link.server";

const found = z.object({ person: z.string(), address: z.string(), purpose: z.string() });

/** The account that a mailed link is for, and what the link does there. */
export type LinkAccount = { id: string; address: string; act: LinkType };

/** The account of a mailed link; undefined for a link that has expired, was used, or is not ours. */
export async function accountOfLink(
  { configuration }: AppContext,
  { token_hash, type }: MailedLink,
): Promise<LinkAccount | undefined | "unavailable"> {
  const { data, error } = await serviceClient(configuration).rpc("account_of_mailed_link", {
    hash: token_hash,
  });
  if (error) {
    log.error("A mailed link's account was not read", describeError(error));
    return "unavailable";
  }
  if (data === null) return;
  const { person, address, purpose } = found.parse(data);
  // Our mails name the type `email` both for a first confirmation and for a sign-in.
  const act = type === "email" && purpose === "confirmation" ? "signup" : type;
  return { id: person, address, act };
}

/** The account that is signed in here, as the auth server confirms it; undefined if nobody is. */
export async function presentAccount(
  session: Session,
): Promise<{ id: string; name: string } | undefined | "unavailable"> {
  if ((await session.visitor()).state === "signed-out") return;
  const present = await identifyPrincipal(session);
  if (present.ok) {
    const { id, email, phone } = present.principal.account;
    return { id, name: email || (phone ?? id) };
  }
  return present.status === 503 ? "unavailable" : undefined;
}
