import { addressRules, checkCustomerAddress } from "./customer-address.server";
import { clipped, outcomeOf, placeOf, type Service, textOf } from "./service.server";

/** Where the trigger of a workflow is. The connectors of before, at webhook.office.com, are retired. */
const hosts = /\.(logic\.azure\.com|api\.powerplatform\.com|api\.powerautomate\.com)$/;
/** A message of Teams has 28 KB at most. */
const maxText = 12_000;

/**
 * A workflow of Microsoft Teams that posts a card when a webhook is called:
 * https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using (2026-11-28).
 */
export const teams: Service = {
  check(typed, settings) {
    const checked = checkCustomerAddress(typed.url ?? "", addressRules(settings));
    if ("refusal" in checked) return checked;
    const { origin, hostname } = new URL(checked.url);
    if (origin !== settings.WEBHOOK_TEST_ORIGIN && !hosts.test(hostname)) {
      const refusal =
        "This is no workflow of Teams: its address is at logic.azure.com, api.powerplatform.com or api.powerautomate.com.";
      return { refusal };
    }
    return { fields: { url: checked.url }, place: placeOf(typed, `…${checked.url.slice(-4)}`) };
  },
  requests({ url = "" }, message) {
    const { title, lines, links } = textOf(message);
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [
        paragraph({ text: title, weight: "Bolder", size: "Medium" }),
        paragraph({ text: clipped(lines.join("\n\n"), maxText) }),
      ],
      actions: links.map(({ label, address }) => ({
        ...{ type: "Action.OpenUrl", title: label, url: address },
      })),
    };
    const contentType = "application/vnd.microsoft.card.adaptive";
    const attachments = [{ contentType, contentUrl: null, content }];
    return [{ url, body: JSON.stringify({ type: "message", attachments }) }];
  },
  outcome(answer) {
    const { status } = answer;
    return outcomeOf("Teams", answer, {
      over:
        (status === 404 || status === 410) &&
        "Teams has no such workflow any more: it was deleted, or the person who made it has left.",
      refused:
        (status === 400 || status === 401 || status === 403) &&
        "The workflow of Teams takes no message: it may be turned off, or want a sign-in.",
    });
  },
};

/** Runs of text are shown as they are: unlike text blocks they have no markdown, so nothing is to be escaped. */
const paragraph = (run: { text: string; weight?: "Bolder"; size?: "Medium" }) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", ...run }],
});
