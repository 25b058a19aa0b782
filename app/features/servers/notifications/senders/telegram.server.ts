import * as z from "zod/mini";
import {
  addressOf,
  clipped,
  linkLines,
  outcomeOf,
  placeOf,
  type Service,
  textOf,
} from "./service.server";

const token = /^\d{5,20}:[\w-]{30,60}$/;
/** The id of a chat, below zero for a group, or the public name of a channel. */
const chat = /^(-?\d{1,20}|@\w{4,32})$/;
const maxText = 4_096;

/** Telegram's bots: https://core.telegram.org/bots/api#sendmessage and #making-requests (2026-11-28). */
export const telegram: Service = {
  check(typed) {
    const [bot = "", id = ""] = [typed.token?.trim(), typed.chat?.trim()];
    if (!token.test(bot)) {
      return { refusal: "A bot's token looks like 123456:ABC-DEF…. BotFather shows it." };
    }
    if (!chat.test(id)) {
      const refusal =
        "A chat is a number such as -1001234567890, or the name of a public channel such as @operations.";
      return { refusal };
    }
    return { fields: { token: bot, chat: id }, place: placeOf(typed, `chat ${id}`) };
  },
  requests({ token = "", chat = "" }, message, settings) {
    const { title, lines, links } = textOf(message);
    const end = linkLines(links, ({ label, address }) => `${label}: ${address}`);
    // Without a parse mode it is text as it stands.
    const text = clipped([title, ...lines].join("\n"), maxText - end.length) + end;
    const body = { chat_id: chat, text, link_preview_options: { is_disabled: true } };
    const base = addressOf(settings, "https://api.telegram.org", "telegram");
    const url = `${base}/bot${token}/sendMessage`;
    return [{ url, isFixed: true, body: JSON.stringify(body) }];
  },
  outcome(answer) {
    const { status } = answer;
    const { description = "", parameters } = refusalIn(answer.text);
    const { retry_after, migrate_to_chat_id } = parameters ?? {};
    const waitMs = retry_after === undefined ? answer.waitMs : retry_after * 1_000;
    const moved =
      migrate_to_chat_id !== undefined &&
      `The group became a supergroup. Add it again, as chat ${migrate_to_chat_id}.`;
    return outcomeOf(
      "Telegram",
      { ...answer, waitMs },
      {
        over:
          moved ||
          ((status === 401 || status === 404) &&
            "Telegram does not know the bot's token any more.") ||
          (status === 403 && "The bot was blocked, or is not in the chat any more.") ||
          (description.includes("chat not found") &&
            "Telegram finds no such chat. Write to the bot there first, or add it to the group."),
        refused: status === 400 && "Telegram does not take the message.",
      },
    );
  },
};

const refusal = z.object({
  description: z.optional(z.string()),
  parameters: z.optional(
    z.object({
      retry_after: z.optional(z.number()),
      migrate_to_chat_id: z.optional(z.number()),
    }),
  ),
});

function refusalIn(text: string | undefined): z.infer<typeof refusal> {
  try {
    return refusal.safeParse(JSON.parse(text ?? "")).data ?? {};
  } catch {
    return {};
  }
}
