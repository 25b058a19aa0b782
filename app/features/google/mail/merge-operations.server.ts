import type { Google } from "../tools/google-api.server";
import { type OperationResult, success } from "../tools/operation";
import { refused } from "../tools/refusals.server";
import { listMessages, mailAddress, readLetter, sendLetter } from "./gmail.server";
import type { FoundMerged } from "./mail-results";
import { readMailbox } from "./mailboxes";

/** Names a message of a merge. Gmail may replace the Message-ID, but keeps a field that it does not know. */
const markField = "X-Mail-Merge-Id";
const maxSearched = 20;
/** How far the clocks of a browser and of Gmail may differ. */
const clocksDifferByMs = 10 * 60_000;

const unnamed = { ok: false, status: 400, message: "The mail merge has no name." } as const;

/** The refusal for another Google account: its mailbox does not show what the first account sent. */
function otherAccount(form: URLSearchParams, { email }: Google): OperationResult | undefined {
  const from = form.get("from") ?? "";
  if (from === email) return;
  const message = `This mail merge was begun with ${from}. Connect that Google account to go on.`;
  return { ok: false, status: 409, message, consent: true };
}

/** Sends the message of one row of a merge, marked so that it can be found again. */
export async function sendMerged(form: URLSearchParams, google: Google): Promise<OperationResult> {
  const mark = readMark(form);
  if (!mark) return unnamed;
  const refusal = otherAccount(form, google);
  if (refusal) return refusal;
  // A row has one receiver, so a comma is part of the name.
  const letter = readLetter(form, readMailbox);
  if ("ok" in letter) return letter;
  return sendLetter(google, {
    ...letter,
    headers: { [markField]: mark, "Message-ID": messageId(mark, google) },
  });
}

/**
 * Searches for the message of one row among the messages sent since `since`. A merge sends one message after
 * the other: if the list reaches back to an earlier one of the merge, it would contain this one too.
 */
export async function findMerged(form: URLSearchParams, google: Google): Promise<OperationResult> {
  const mark = readMark(form);
  if (!mark) return unnamed;
  const refusal = otherAccount(form, google);
  if (refusal) return refusal;
  const fields = [markField, "Message-ID"];
  const list = await listMessages(google, { labelId: "SENT", maxResults: maxSearched, fields });
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
    sure: reachesMerge || list.body.length < maxSearched || oldest < since,
    ...(found && { link: mailAddress(google, "sent", found.id) }),
  };
  return { ok: true, message: success, result };
}

/** The merge's id, which the browser made, with the row: the same each time the message is sent. */
function readMark(form: URLSearchParams): string | undefined {
  const [id = "", row = ""] = [form.get("id"), form.get("row")].map((value) => value ?? "");
  return /^[0-9a-f-]{36}$/.test(id) && /^\d{1,4}$/.test(row) ? `${id}.${row}` : undefined;
}

function messageId(mark: string, { email }: Google): string {
  return `<${mark}@${email.split("@")[1] ?? "mail-merge.invalid"}>`;
}
