import { dashed, fromHex, toHex, undashed } from "~/http/encodings";
import { signingKey } from "~/http/hashes";

// A ticket lets one session of one person open a socket to the fleet of one workspace:
// `lkd_t_<workspace>_<session>_<person>_<end>_<tag>`, ids without dashes, the end in milliseconds since 1970. It goes
// as a subprotocol of the socket, because addresses are logged. Its tag is made under a label of its own: neither a
// token nor a key of a machine is a ticket.

/** For how long a ticket holds. */
export const ticketMs = 60_000;
const form = /^(lkd_t_([0-9a-f]{32})_([0-9a-f]{32})_([0-9a-f]{32})_([0-9]{13,15}))_([0-9a-f]{64})$/;

/** Who may open a socket, as the site has found it. */
export type Viewer = { session: string; person: string };
/** Times in milliseconds since 1970. */
export type Ticket = Viewer & { workspace: string; madeAt: number; ends: number };

/** A ticket for a minute from `now`, which is the object's time. */
export async function newTicket(
  secrets: readonly string[],
  { workspace, session, person }: Viewer & { workspace: string },
  now: number,
): Promise<string> {
  const ids = [workspace, session, person].map(undashed);
  const text = `lkd_t_${ids.join("_")}_${now + ticketMs}`;
  const tag = await crypto.subtle.sign("HMAC", await keyOf(secrets[0] ?? ""), bytesOf(text));
  return `${text}_${toHex(new Uint8Array(tag))}`;
}

/** What a ticket says; undefined for one that was not made here. Whether it has ended is the object's to say. */
export async function readTicket(
  secrets: readonly string[],
  ticket: string,
): Promise<Ticket | undefined> {
  const [, text, workspace, session, person, end, tag] = form.exec(ticket) ?? [];
  if (!text || !workspace || !session || !person || !tag) return;
  const sent = fromHex(tag);
  for (const secret of secrets) {
    if (!(await crypto.subtle.verify("HMAC", await keyOf(secret), sent, bytesOf(text)))) continue;
    const ends = Number(end);
    return {
      workspace: dashed(workspace),
      session: dashed(session),
      person: dashed(person),
      madeAt: ends - ticketMs,
      ends,
    };
  }
}

const keyOf = (secret: string) => signingKey(secret, "tickets of live pages");

const bytesOf = (text: string) => new TextEncoder().encode(text);
