import { z } from "zod";
import { serveOnLoopback } from "../loopback-server.ts";
import { refuseInProduction } from "../refuse-production.ts";
import { Inbox, type MailMessage } from "./inbox.ts";
import { inboxPage, messageHtml, messagePage } from "./inbox-pages.ts";
import { answerResend, type KeyedAnswers, refusedByResend } from "./resend.ts";

/** How Resend answers: as it does, with its limit of requests, not at all well, or never. */
const control = z.strictObject({ resend: z.enum(["well", "limited", "down", "silent"]) });

export interface MailFake {
  url: string;
  /** Puts a mail of the auth server into the inbox. */
  deliver(mail: { to: string; subject: string; text?: string; html?: string }): void;
  /** Newest first; with `to`, only what went to that address. */
  messages(to?: string): MailMessage[];
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Resend's API and an inbox page on one loopback address. `POST /_local/reset-all` calls
 * `resetAll`, the one reset of all fakes that run together.
 */
export async function startMailFake(options: {
  port: number;
  /** Of the site and of the servers Worker. */
  apiKeys: readonly (string | undefined)[];
  resetAll?: () => Promise<void>;
}): Promise<MailFake> {
  refuseInProduction("mail");
  const inbox = new Inbox();
  const keyed: KeyedAnswers = new Map();
  let resend = "well";
  const empty = () => {
    resend = "well";
    inbox.clear();
    keyed.clear();
  };

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "POST") {
      switch (pathname) {
        case "/emails":
        case "/emails/batch":
          if (resend === "silent") return new Promise(() => undefined);
          if (resend !== "well") return refusedByResend(resend);
          return answerResend(request, inbox, options.apiKeys, keyed);
        case "/_local/control":
          resend = control.parse(await request.json()).resend;
          return Response.json({ done: true });
        case "/_local/reset":
          empty();
          return Response.json({ reset: true });
        case "/_local/reset-all":
          empty();
          await options.resetAll?.();
          return Response.json({ reset: true });
      }
    }
    if (request.method === "GET") {
      if (pathname === "/") return inboxPage(inbox.list());
      if (pathname === "/messages") return Response.json(inbox.list(searchParams.get("to")));
      const [, id, part] = /^\/messages\/([^/]+)(\/html)?$/.exec(pathname) ?? [];
      const message = id ? inbox.find(id) : undefined;
      if (message) return part ? messageHtml(message) : messagePage(message);
    }
    return Response.json(
      { statusCode: 404, name: "not_found", message: "Not found" },
      { status: 404 },
    );
  }

  const server = await serveOnLoopback(options.port, answer);
  return {
    url: server.url,
    deliver: ({ to, subject, text = "", html = "" }) => {
      inbox.add({
        via: "supabase",
        from: "LiveKit Deploy <auth@localhost>",
        to: [to],
        replyTo: [],
        subject,
        text,
        html,
      });
    },
    messages: (to) => inbox.list(to),
    reset: async () => empty(),
    close: () => server.close(),
  };
}
