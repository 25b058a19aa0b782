import { brand } from "~/content/chrome";
import { pagerEvents } from "./pagerduty.server";
import { addressOf, clipped, outcomeOf, placeOf, type Service } from "./service.server";

const priorities = { critical: "P1", warning: "P3", info: "P5" } as const;
/** What PagerDuty calls an action is, at an alert that is there, a path here. */
const paths = { acknowledge: "acknowledge", resolve: "close" } as const;

/**
 * Opsgenie's alerts: https://docs.opsgenie.com/docs/alert-api (2026-11-28). An incident is one alert, by its alias. What
 * PagerDuty gets as events Opsgenie gets as requests, so both pagers ring and end alike.
 */
export const opsgenie: Service = {
  check(typed) {
    const key = typed.key?.trim().toLowerCase() ?? "";
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) {
      const refusal =
        "A key of Opsgenie has 32 letters and digits in five groups. Copy that of an API integration once more.";
      return { refusal };
    }
    const region = typed.region === "eu" ? "eu" : "us";
    return { fields: { key, region }, place: placeOf(typed, `key …${key.slice(-4)}`) };
  },
  requests({ key = "", region }, message, settings) {
    const api =
      region === "eu"
        ? addressOf(settings, "https://api.eu.opsgenie.com", "opsgenie-eu")
        : addressOf(settings, "https://api.opsgenie.com", "opsgenie");
    const base = `${api}/v2/alerts`;
    const common = { isFixed: true as const, headers: { authorization: `GenieKey ${key}` } };
    return pagerEvents(message).map(({ event_action, dedup_key, payload, links = [] }) => {
      if (event_action !== "trigger") {
        const url = `${base}/${dedup_key}/${paths[event_action]}?identifierType=alias`;
        return { ...common, url, body: JSON.stringify({ source: brand }) };
      }
      const details = Object.entries(payload?.custom_details ?? {});
      const description = [
        ...details.map(([title, says]) => `${title}: ${says}`),
        ...links.map(({ text, href }) => `${text}: ${href}`),
      ].join("\n");
      const body = {
        message: clipped(payload?.summary ?? brand, 130),
        alias: dedup_key,
        description: clipped(description, 15_000),
        source: clipped(payload?.source ?? brand, 100),
        priority: priorities[payload?.severity ?? "warning"],
      };
      return { ...common, url: base, body: JSON.stringify(body) };
    });
  },
  outcome(answer) {
    const { status } = answer;
    return outcomeOf("Opsgenie", answer, {
      refused:
        ((status === 401 || status === 403) &&
          "Opsgenie does not take the key: look whether the integration is on, and in which region it is.") ||
        ((status === 400 || status === 422) && "Opsgenie does not take the message."),
    });
  },
};
