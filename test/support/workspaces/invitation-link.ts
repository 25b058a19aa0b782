import { mailTo } from "../auth/inbox.ts";

/** The link of the newest invitation to an address, as path and query on the site. */
export async function invitationLink(address: string, subject: string): Promise<string> {
  const { html } = await mailTo(address, subject);
  const href = /href="([^"]+\/invitation\?[^"]+)"/.exec(html)?.[1];
  if (!href) throw new Error(`No link in ${subject}`);
  const { pathname, search } = new URL(href.replaceAll("&amp;", "&"));
  return pathname + search;
}
