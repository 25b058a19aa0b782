import { type CardBehaviour, now } from "../state.ts";

/** A card as somebody types it: how it answers later, and what of it may be shown. */
export type NewCard = {
  behaviour: CardBehaviour;
  brand: "visa" | "mastercard" | "amex";
  last4: string;
  exp_month: number;
  exp_year: number;
};

const kinds: Record<string, Pick<NewCard, "behaviour" | "brand">> = {
  "4242424242424242": { behaviour: "good", brand: "visa" },
  "5555555555554444": { behaviour: "good", brand: "mastercard" },
  "378282246310005": { behaviour: "good", brand: "amex" },
  "4000000000000341": { behaviour: "failing", brand: "visa" },
  "4000002760003184": { behaviour: "authenticating", brand: "visa" },
};

/** The hosted pages' help about card numbers. */
export const cardHelp =
  "Cards: 4242 4242 4242 4242 and 5555 5555 5555 4444 pay, 4000 0000 0000 0341 pays now and fails at renewal, 4000 0027 6000 3184 asks its owner at each payment, 4000 0000 0000 0002 is declined.";

/** Stripe's test numbers, with any date of the future. Without a date the card runs for four years. */
export function readCard(number: string, expires = ""): NewCard | { declined: string } {
  const digits = number.replace(/[\s-]/g, "");
  const kind = kinds[digits];
  if (digits === "4000000000000002") return { declined: "Your card was declined." };
  if (!kind && /^\d{13,19}$/.test(digits)) return { declined: "Your card number is invalid." };
  if (!kind) return { declined: "Your card number is incomplete." };
  const date = expires.trim() === "" ? inFourYears() : readExpiry(expires);
  if (!date) return { declined: "Your card's expiration date is incomplete." };
  const card = { ...kind, ...date, last4: digits.slice(-4) };
  return hasExpired(card, now())
    ? { declined: "Your card's expiration date is in the past." }
    : card;
}

/** The card that stands for a behaviour where nobody types a number. */
export function cardThatIs(behaviour: CardBehaviour): NewCard {
  const [number, kind] =
    Object.entries(kinds).find(([, each]) => each.behaviour === behaviour) ?? [];
  if (!number || !kind) throw new Error(`No card is ${behaviour}.`);
  return { ...kind, ...inFourYears(), last4: number.slice(-4) };
}

/** Whether a card's last month is over. */
export function hasExpired(
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
  at: number,
): boolean {
  return Date.UTC(exp_year, exp_month, 1) / 1000 <= at;
}

function inFourYears(): Pick<NewCard, "exp_month" | "exp_year"> {
  return { exp_month: 12, exp_year: new Date(now() * 1000).getUTCFullYear() + 4 };
}

function readExpiry(text: string): Pick<NewCard, "exp_month" | "exp_year"> | undefined {
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  const exp_month = Number(month);
  if (!year || exp_month < 1 || exp_month > 12) return undefined;
  return { exp_month, exp_year: 2000 + Number(year) };
}
