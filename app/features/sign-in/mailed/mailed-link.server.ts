import * as z from "zod/mini";
import { nextPath } from "~/http/page-addresses";
import type { Configuration } from "~/platform/env/configuration.server";

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
function mailedNext(wanted: string | null, { SITE_URL }: Configuration, standard: string): string {
  if (!wanted) return standard;
  const path = wanted.startsWith(`${SITE_URL}/`) ? wanted.slice(SITE_URL.length) : wanted;
  return path === "/" ? standard : nextPath(path, standard);
}
