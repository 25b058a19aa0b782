import { addressRules, checkCustomerAddress } from "./customer-address.server";
import { clipped, linkLines, outcomeOf, placeOf, type Service, textOf } from "./service.server";

/** An incoming webhook, of Slack or of its instance for governments. */
const form = /^https:\/\/hooks\.slack(-gov)?\.com\/services\/\w+\/\w+\/\w+$/;
/** Slack cuts longer texts at 40,000, and asks for 4,000 at most. */
const maxText = 4_000;

/** Slack's incoming webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks (2026-11-28). */
export const slack: Service = {
  check(typed, settings) {
    const checked = checkCustomerAddress(typed.url ?? "", addressRules(settings));
    if ("refusal" in checked) return checked;
    const { origin } = new URL(checked.url);
    if (origin !== settings.WEBHOOK_TEST_ORIGIN && !form.test(checked.url)) {
      const refusal =
        "An incoming webhook of Slack begins with https://hooks.slack.com/services/ and has three parts after it.";
      return { refusal };
    }
    return { fields: { url: checked.url }, place: placeOf(typed, `…${checked.url.slice(-4)}`) };
  },
  requests({ url = "" }, message) {
    const { title, lines, links } = textOf(message);
    const end = linkLines(links, ({ label, address }) => `${escaped(label)}: <${address}>`);
    const text = clipped(escaped([title, ...lines].join("\n")), maxText - end.length) + end;
    return [{ url, body: JSON.stringify({ text, mrkdwn: false, unfurl_links: false }) }];
  },
  outcome(answer) {
    const { status, text = "" } = answer;
    return outcomeOf("Slack", answer, {
      over:
        (status === 404 || status === 410 || text.includes("invalid_token")) &&
        "Slack has no such webhook any more, or its channel is archived.",
      refused:
        (status === 400 || status === 403) &&
        "Slack does not take messages at this webhook: an administrator may have forbidden it.",
    });
  },
};

/** Slack reads three characters as control characters, also where it formats nothing. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
