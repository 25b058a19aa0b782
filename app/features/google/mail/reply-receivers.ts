import { type ReadMailboxes, readMailboxField } from "./mailboxes.ts";

/**
 * Who gets the answer to a message: RFC 5322, 3.6.3. Whoever goes on with a message of their own
 * writes to those it went to. `raw` gives a header field as it was sent; `email` is "" when unknown.
 */
export function receiversOfReply(raw: (name: string) => string, email: string): ReadMailboxes {
  const from = readMailboxField(raw("From"));
  const isOwn =
    email !== "" &&
    from.ok &&
    from.mailboxes.some(({ address }) => address.toLowerCase() === email.toLowerCase());
  return readMailboxField(isOwn ? raw("To") : raw("Reply-To") || raw("From"));
}
