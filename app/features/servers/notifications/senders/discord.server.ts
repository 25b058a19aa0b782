import { brand } from "~/content/chrome";
import { addressRules, checkCustomerAddress } from "./customer-address.server";
import { clipped, linkLines, outcomeOf, placeOf, type Service, textOf } from "./service.server";

const form =
  /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+$/;
const maxContent = 2_000;

/** Discord's webhooks: https://discord.com/developers/docs/resources/webhook#execute-webhook (2026-11-28). */
export const discord: Service = {
  check(typed, settings) {
    const checked = checkCustomerAddress(typed.url ?? "", addressRules(settings));
    if ("refusal" in checked) return checked;
    const { origin } = new URL(checked.url);
    if (origin !== settings.WEBHOOK_TEST_ORIGIN && !form.test(checked.url)) {
      return { refusal: "A webhook of Discord begins with https://discord.com/api/webhooks/." };
    }
    return { fields: { url: checked.url }, place: placeOf(typed, `…${checked.url.slice(-4)}`) };
  },
  requests({ url = "" }, message) {
    const { title, lines, links } = textOf(message);
    // Between angle brackets an address gets no preview.
    const end = linkLines(links, ({ label, address }) => `${escaped(label)}: <${address}>`);
    const text = `**${escaped(title)}**\n${lines.map(escaped).join("\n")}`;
    const content = clipped(text, maxContent - end.length) + end;
    // Nobody is mentioned, whatever a server is called.
    const body = { content, username: brand, allowed_mentions: { parse: [] } };
    return [{ url, body: JSON.stringify(body) }];
  },
  outcome(answer) {
    const { status } = answer;
    return outcomeOf("Discord", answer, {
      over: (status === 404 || status === 401) && "Discord has no such webhook any more.",
      refused: (status === 400 || status === 403) && "Discord does not take the message.",
    });
  },
};

const escaped = (text: string): string => text.replace(/[\\*_~`|>#[\]()-]/g, "\\$&");
