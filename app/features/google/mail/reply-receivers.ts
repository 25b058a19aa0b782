import { type ReadMailboxes, readMailboxField } from "./mailboxes.ts";

/**
 * The receivers of the answer to a message: RFC 5322, 3.6.3. The answer to a message of one's own goes to its
 * receivers. `raw` gives a header field as it was sent; `email` is one's own address, "" when unknown.
 */
export function receiversOfReply(raw: (name: string) => string, email: string): ReadMailboxes {
  const from = readMailboxField(raw("From"));
  const isOwn =
    email !== "" &&
    from.ok &&
    from.mailboxes.some(({ address }) => address.toLowerCase() === email.toLowerCase());
  return readMailboxField(isOwn ? raw("To") : raw("Reply-To") || raw("From"));
}
