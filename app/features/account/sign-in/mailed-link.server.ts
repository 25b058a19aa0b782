import * as z from "zod/mini";
import { identifyPrincipal, type Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { nextPath } from "~/http/page-addresses";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

/** The query of a link in our mails. `token_hash` is the secret, and works once. */
const mailedLink = z.object({
  token_hash: z.string().check(z.regex(/^[\w-]{16,256}$/)),
  type: z.enum(["email", "signup", "magiclink", "recovery", "email_change"]),
});

export type MailedLink = z.output<typeof mailedLink> & { next: string };
export type LinkType = MailedLink["type"];

/** Reads the query of a link, or the form that repeats it; undefined if a part is missing or malformed. */
export function readMailedLink(
  parameters: URLSearchParams,
  configuration: Configuration,
): MailedLink | undefined {
  const named = (name: string) => parameters.get(name) ?? undefined;
  const result = mailedLink.safeParse({ token_hash: named("token_hash"), type: named("type") });
  if (!result.success) return;
  const { type } = result.data;
  const standard = type === "email_change" ? "/dashboard/account" : "/dashboard";
  return { ...result.data, next: mailedNext(parameters.get("next"), configuration, standard) };
}

/** Our mail templates write `next` as a whole URL. Only a URL of our own site is accepted. */
function mailedNext(address: string | null, { SITE_URL }: Configuration, standard: string): string {
  if (!address) return standard;
  const path = address.startsWith(`${SITE_URL}/`) ? address.slice(SITE_URL.length) : address;
  return path === "/" ? standard : nextPath(path, standard);
}

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

/** The account that is signed in here, as the auth server confirms it; undefined if nobody is, or only a trial. */
export async function currentAccount(
  session: Session,
): Promise<{ id: string; name: string } | undefined | "unavailable"> {
  if ((await session.visitor()).state === "signed-out") return;
  const confirmed = await identifyPrincipal(session);
  if (confirmed.ok) {
    if (confirmed.principal.account.is_anonymous) return;
    const { id, email, phone } = confirmed.principal.account;
    return { id, name: email || (phone ?? id) };
  }
  return confirmed.status === 503 ? "unavailable" : undefined;
}
