import type { AppContext } from "~/http/app-context";
import { visitorState } from "~/http/cookies/visitor-state.server";

/** What the page after a sent message shows. With the address, a person notices a typing mistake. */
export type Receipt = { id: string; email: string; topic: string };

/** The receipt of the visitor's last message, which is kept for ten minutes. */
export function receiptOf(context: AppContext) {
  return visitorState<Receipt>(context, "contact-receipt");
}
