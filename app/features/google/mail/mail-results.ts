/** The result of the tab "List Sent". */
export type SentList = {
  messages: readonly { id: string; at: number; to: string; subject: string; href: string }[];
};

/** The received messages that the tab "Respond" offers. */
export type ConversationList = {
  messages: readonly { id: string; threadId: string; at: number; from: string; subject: string }[];
};

/** Whether the message of a row was found in Gmail. `sure` is false if it may be older than what was searched. */
export type FoundMerged = { sent: boolean; sure: boolean; link?: string };
