import { randomUUID } from "node:crypto";

export interface MailMessage {
  id: string;
  /** Which service sent it. */
  via: "supabase" | "resend";
  from: string;
  to: string[];
  replyTo: string[];
  subject: string;
  text: string;
  html: string;
  receivedAt: string;
}

/** Everything mailed since the last reset, oldest first. */
export class Inbox {
  #messages: MailMessage[] = [];

  add(mail: Omit<MailMessage, "id" | "receivedAt">): MailMessage {
    const message = { ...mail, id: randomUUID(), receivedAt: new Date().toISOString() };
    this.#messages.push(message);
    return message;
  }

  /** Newest first; with `to`, only what went to that address. */
  list(to?: string | null): MailMessage[] {
    const address = to?.toLowerCase();
    return this.#messages
      .filter((message) => !address || message.to.some((each) => each.toLowerCase() === address))
      .toReversed();
  }

  find(id: string): MailMessage | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  clear(): void {
    this.#messages = [];
  }
}
