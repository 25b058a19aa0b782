import * as z from "zod/mini";
import { layOut } from "~/features/mail/mail-layout";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { askResend } from "~/platform/mail/resend.server";
import { mailWords } from "./mail-words";
import { type Occasion, occasion } from "./occasion";

/**
 * How many mails one run sends. Each takes a request, and together with the reconciliation a run must stay
 * within the 50 requests of Cloudflare's free plan. Mails are sent one after another: Resend limits the requests
 * per second of an account, and the auth server sends through the same account.
 */
const mailsPerRun = 4;
/** How many mails about plans are sent. Resend's free plan has 100 a day; the rest is left for sign-in mail. */
const mailsPer = { hour: 30, day: 40 };

const mail = z.object({
  id: z.string(),
  kind: z.string(),
  data: z.unknown(),
  recipient: z.nullable(z.string()),
  /** Whose plan it is about; null for a guest's. */
  workspace: z.nullable(z.object({ slug: z.string(), name: z.nullable(z.string()) })),
  attempt: z.number(),
});
const claim = z.object({
  mails: z.array(mail),
  givenUp: z.array(z.object({ id: z.string(), kind: z.string() })),
  held: z.nullable(z.enum(["an hour", "a day"])),
});

type ClaimedMail = z.output<typeof mail>;

/**
 * Queues the mails that are due and sends them. It may be repeated, be cut off anywhere, or overlap with another
 * run: the id of a mail is its idempotency key at Resend, and a mail that is not known to be sent is tried again
 * later. Does nothing without RESEND_API_KEY. Never throws.
 */
export async function sendMails(configuration: Configuration): Promise<void> {
  if (!configuration.RESEND_API_KEY) return;
  const database = serviceClient(configuration);
  const { data, error } = await database.rpc("claim_mails", {
    at_most: mailsPerRun,
    an_hour: mailsPer.hour,
    a_day: mailsPer.day,
  });
  const claimed = claim.safeParse(data);
  if (error || !claimed.success) {
    log.error("Mails could not be queued", describeError(error ?? claimed.error));
    return;
  }
  const { mails, givenUp, held } = claimed.data;
  for (const { id, kind } of givenUp) log.error("A mail was given up", { id, kind });
  if (held) log.warn("A quota was reached", { quota: `mails of ${held}` });
  const outcomes: Record<SendOutcome, string[]> = { taken: [], refused: [], later: [], wait: [] };
  let attempts = 0;
  for (const each of mails) {
    const outcome = await send(configuration, each);
    outcomes[outcome].push(each.id);
    attempts++;
    // Resend's limit is reached: the rest of this minute is left to sign-in mail.
    if (outcome === "wait") break;
  }
  const { taken, refused, wait: postponed } = outcomes;
  const untried = mails.slice(attempts).map(({ id }) => id);
  if (taken.length + refused.length + postponed.length > 0) {
    await settle(database, { taken, refused, postponed, untried });
  }
}

async function settle(
  database: ServiceClient,
  mails: Record<"taken" | "refused" | "postponed" | "untried", string[]>,
) {
  const { error } = await database.rpc("settle_mails", mails);
  // The next run sends these mails again with the same keys, and Resend delivers none of them twice.
  if (error) log.error("Sent mails were not noted", describeError(error));
}

/** What Resend did with a mail: took it, refused it for good, failed for now, or limits our requests. */
type SendOutcome = "taken" | "refused" | "later" | "wait";

/** Asks Resend to send one mail. The log gets the mail's id and kind, and never an address. */
async function send(
  configuration: Configuration,
  { id, kind, data, recipient, workspace, attempt }: ClaimedMail,
): Promise<SendOutcome> {
  const about = occasion.safeParse({ kind, data });
  const to = about.success && addressee(about.data, recipient, configuration.SUPPORT_EMAIL);
  if (!about.success || !to) {
    log.error("A mail was given up", { id, kind, reason: "it says nothing that can be read" });
    return "refused";
  }
  const words = mailWords(about.data, configuration.SITE_URL, workspace);
  try {
    const response = await askResend(configuration, id, {
      to,
      replyTo: configuration.SUPPORT_EMAIL,
      subject: words.subject,
      ...layOut(words),
    });
    const answer = (await response.text()).slice(0, 2_000);
    if (response.ok && answer.includes('"id"')) return "taken";
    // An earlier try with this key was taken, when the texts or the address were different.
    if (response.status === 409 && answer.includes("invalid_idempotent_request")) return "taken";
    const isRefused = response.status === 422;
    const line = isRefused ? "A mail was given up" : "A mail was not sent";
    log[isRefused ? "error" : "warn"](line, { id, kind, attempt, status: response.status });
    if (response.status === 429) return "wait";
    return isRefused ? "refused" : "later";
  } catch (error) {
    log.warn("A mail was not sent", { id, kind, attempt, ...describeError(error) });
    return "later";
  }
}

const forOperator: ReadonlySet<Occasion["kind"]> = new Set([
  "dispute",
  "dispute-closed",
  "fraud-warning",
  "paid-twice",
  "partly-paid",
  "unsent",
]);

function addressee({ kind }: Occasion, recipient: string | null, operator: string): string | null {
  return forOperator.has(kind) ? operator : recipient;
}
