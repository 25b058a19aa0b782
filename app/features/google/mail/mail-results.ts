/** What "List Sent" shows. */
export type SentList = {
  messages: readonly { id: string; at: number; to: string; subject: string; href: string }[];
};

/** What "Respond" lets choose from. */
export type ConversationList = {
  messages: readonly { id: string; threadId: string; at: number; from: string; subject: string }[];
};

/** Whether the message of a merge was found; `sure` is false when it may be farther back. */
export type FoundMerged = { sent: boolean; sure: boolean; link?: string };
