import { type Card, cardWords } from "../prices/words";

/** What was carried out. The page says it after the redirect, as long as it is still true. */
export const doneWords = [
  "changed",
  "scheduled",
  "kept",
  "cancelled",
  "resumed",
  "given-up",
  "ordered",
  "paused",
  "running",
] as const;
export type Done = (typeof doneWords)[number];

/** Why a plan cannot be changed now. */
export type Refusal =
  | "moved"
  | "gone"
  | "pending"
  | "pay-first"
  | "renewing"
  | "ending"
  | "paused"
  | "planned"
  | "by-invoice"
  | "by-hand"
  | "several-items"
  | "currency"
  | "not-offered"
  | "declined"
  | "no-card"
  | "paying"
  | "earlier"
  | "not-accepted"
  | "unavailable";

export type ChangeOutcome =
  | { kind: "done"; done: Done }
  /** The browser goes to a page at Stripe: to change the card, or to confirm the payment of an invoice. */
  | { kind: "leave"; url: string }
  | Refused;

type Refused = {
  kind: "refused";
  why: Refusal;
  /** The card that was declined. */
  card?: Card | undefined;
  /** Why, in a sentence; undefined where nothing is known beyond that it was declined. */
  reason?: string | undefined;
};

const statuses: Readonly<Record<Refusal, 402 | 404 | 409 | 502>> = {
  moved: 409,
  gone: 404,
  pending: 409,
  "pay-first": 409,
  renewing: 409,
  ending: 409,
  paused: 409,
  planned: 409,
  "by-invoice": 409,
  "by-hand": 409,
  "several-items": 409,
  currency: 409,
  "not-offered": 409,
  declined: 402,
  "no-card": 402,
  paying: 409,
  earlier: 409,
  "not-accepted": 409,
  unavailable: 502,
};

export function statusOf(why: Refusal): 402 | 404 | 409 | 502 {
  return statuses[why];
}

/** For each refusal: what happened, what did not happen, and what to do. */
export const refusalWords: Readonly<Record<Exclude<Refusal, "declined">, string>> = {
  moved:
    "Your plan or the amount has changed since this page was shown, so nothing was done and nothing was charged. Below is how it is now: look at it, then confirm again.",
  gone: "This plan is not running any more, so nothing was changed. Below is what you have now.",
  pending:
    "A change already waits for its payment. Nothing else was changed. Confirm the payment or give the change up first.",
  "pay-first":
    "A payment for your plan is open. Pay it first; then you can change the plan. Nothing was changed.",
  renewing:
    "Your plan is being renewed at this moment. Nothing was changed. Please come back in about an hour, when the renewal is paid.",
  ending: "Your plan is cancelled. Keep it first; then you can change it. Nothing was changed.",
  paused: "Your plan is paused. Let it run first; then you can change it. Nothing was changed.",
  planned: "A change is planned already. Take it back first. Nothing was changed.",
  "by-invoice":
    "You pay this plan by invoice, so it cannot be changed here. Write to us on /contact and we change it. Nothing was changed.",
  "by-hand":
    "We have planned something for this plan together with you, so it cannot be changed here. Write to us on /contact and we change it. Nothing was changed.",
  "several-items":
    "You pay for something else together with this plan, so it cannot be changed here. Write to us on /contact and we change it. Nothing was changed.",
  currency:
    "You pay this plan in another currency than US dollars, so it cannot be changed here. Write to us on /contact and we change it. Nothing was changed.",
  "not-offered":
    "This price is being updated, so the change cannot be made right now. Nothing was changed and nothing was charged.",
  "no-card":
    "There is no card to pay with, so nothing was changed and nothing was charged. Add a card, then confirm again.",
  paying:
    "The payment of this change is being made at this moment, so the change could not be given up. Look at this page again in a minute: it then says which plan you have.",
  earlier:
    "Another try to change this plan was made a moment ago, so this one was not carried out and charged nothing. Below is how your plan is now. If it is as before, please try again in five minutes.",
  "not-accepted":
    "Stripe did not accept this, so it was not carried out and nothing was charged. We have been told. Below is how your plan is now. Please try again in five minutes, or write to us on /contact.",
  unavailable:
    "Stripe does not answer right now, so we cannot say whether this was done. It is never done twice. Look at this page again in a minute before you try again.",
};

/** The sentence of a refusal; that of a declined card names the card. */
export function sentenceOf({ why, card, reason }: Refused): string {
  if (why !== "declined") return refusalWords[why];
  const named = card ? `Your ${cardWords(card)}` : "Your card";
  const details = reason ? ` ${reason}` : "";
  return `${named} was declined.${details} Nothing was charged, and your plan is as it was.`;
}

export function refused(why: Refusal): ChangeOutcome {
  return { kind: "refused", why };
}

export function done(what: Done): ChangeOutcome {
  return { kind: "done", done: what };
}
