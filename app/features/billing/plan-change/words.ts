import type { Refusal } from "./outcome";

/** Whether a cancelled plan is charged again, as a sentence: an invoice that is open stays due. */
export function notRenewedWords({ blocked }: { blocked: Refusal | undefined }): string {
  return blocked === "pay-first"
    ? "It does not renew, but the open invoice is still due."
    : "You are not charged again.";
}

/** "a", "a and b", "a, b and c". */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
