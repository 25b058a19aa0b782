import type { Google } from "../tools/google-api.server";
import { type Outcome, success } from "../tools/operation";
import { refused } from "../tools/refusals.server";
import { listMessages, mailAddress, readLetter, sendLetter } from "./gmail.server";
import type { FoundMerged } from "./mail-results";
import { readMailbox } from "./mailboxes";

/** Gmail gives messages its own Message-ID; a field that it does not know stays as it is. */
const markField = "X-Mail-Merge-Id";
const looksBackAt = 20;
/** Clocks of a browser and of Gmail differ. */
const clocksDifferByMs = 10 * 60_000;

const unnamed = { ok: false, status: 400, message: "The mail merge has no name." } as const;

/** Another account's mailbox does not tell what this one sent. */
function otherAccount(form: URLSearchParams, { email }: Google): Outcome | undefined {
  const from = form.get("from") ?? "";
  if (from === email) return;
  const message = `This mail merge was begun with ${from}. Connect that Google account to go on.`;
  return { ok: false, status: 409, message, consent: true };
}

/** Sends the message of one row of a merge, marked so that it can be found again. */
export async function sendMerged(form: URLSearchParams, google: Google): Promise<Outcome> {
  const mark = readMark(form);
  if (!mark) return unnamed;
  const refusal = otherAccount(form, google);
  if (refusal) return refusal;
  // One row is one receiver, whose name may have a comma.
  const letter = readLetter(form, readMailbox);
  if ("ok" in letter) return letter;
  return sendLetter(google, {
    ...letter,
    headers: { [markField]: mark, "Message-ID": messageId(mark, google) },
  });
}

/**
 * Looks for the message of one row among what was sent last, back to `since`. Messages of a merge leave
 * one after the other: whichever of them is listed left before this one could.
 */
export async function findMerged(form: URLSearchParams, google: Google): Promise<Outcome> {
  const mark = readMark(form);
  if (!mark) return unnamed;
  const refusal = otherAccount(form, google);
  if (refusal) return refusal;
  const fields = [markField, "Message-ID"];
  const list = await listMessages(google, { labelId: "SENT", maxResults: looksBackAt, fields });
  if (!list.ok) return refused(list);
  const id = messageId(mark, google);
  const found = list.body.find(
    ({ field }) => field(markField) === mark || field("Message-ID") === id,
  );
  const [merge] = mark.split(".");
  const reachesMerge = list.body.some(({ field }) => field(markField).startsWith(`${merge}.`));
  const oldest = Math.min(...list.body.map(({ at }) => at));
  const since = Number(form.get("since")) - clocksDifferByMs;
  const result: FoundMerged = {
    sent: found !== undefined,
    sure: reachesMerge || list.body.length < looksBackAt || oldest < since,
    ...(found && { link: mailAddress(google, "sent", found.id) }),
  };
  return { ok: true, message: success, result };
}

/** The id that the browser gave the merge, with the row: the same for a message whenever it is sent. */
function readMark(form: URLSearchParams): string | undefined {
  const [id = "", row = ""] = [form.get("id"), form.get("row")].map((value) => value ?? "");
  return /^[0-9a-f-]{36}$/.test(id) && /^\d{1,4}$/.test(row) ? `${id}.${row}` : undefined;
}

function messageId(mark: string, { email }: Google): string {
  return `<${mark}@${email.split("@")[1] ?? "mail-merge.invalid"}>`;
}
