import { undashed } from "~/http/encodings";
import type { Message } from "../channel";
import { addressRules, checkCustomerAddress } from "./customer-address.server";
import { maxPlaintext, sealed, vapidHeader } from "./push-encryption";
import {
  clipped,
  clippedToBytes,
  isUrgent,
  outcomeOf,
  placeOf,
  type Service,
  textOf,
} from "./service.server";

const key = /^B[\w-]{86}$/;
const secret = /^[\w-]{22}$/;
/** For how long a push service keeps a message for a phone that is off. */
const ttlSeconds = 86_400;

/**
 * Push to a browser: RFC 8030. Its subscription leads to the push service that its maker chose, which may be any name on
 * the internet. The push service cannot read the message.
 */
export const push: Service = {
  check(typed, settings) {
    if (!settings.vapid) return { refusal: "Push is not set up on this site." };
    const checked = checkCustomerAddress(typed.url ?? "", addressRules(settings));
    if ("refusal" in checked) return checked;
    const { p256dh = "", auth = "" } = typed;
    if (!key.test(p256dh) || !secret.test(auth)) {
      return { refusal: "The browser gave no keys to write to it. Load the page and try again." };
    }
    const fields = { url: checked.url, p256dh, auth };
    return { fields, place: placeOf(typed, "a browser") };
  },
  async requests({ url = "", p256dh = "", auth = "" }, message, { vapid, SUPPORT_EMAIL }) {
    // Without keys nothing is signed, and the push service refuses it.
    const authorization =
      vapid &&
      (await vapidHeader(vapid, { endpoint: url, contact: SUPPORT_EMAIL, now: Date.now() }));
    const topic = topicOf(message);
    const headers = {
      ...(authorization ? { authorization } : {}),
      "content-type": "application/octet-stream",
      "content-encoding": "aes128gcm",
      ttl: String(ttlSeconds),
      urgency: isUrgent(message) ? "high" : "normal",
      ...(topic ? { topic } : {}),
    };
    return [{ url, headers, body: await sealed(plaintextOf(message), { p256dh, auth }) }];
  },
  outcome(answer) {
    const { status } = answer;
    return outcomeOf("The push service", answer, {
      over:
        (status === 404 || status === 410) &&
        "This browser takes no push any more: it was forbidden there, or its data were deleted. Add it again on it.",
      refused:
        ((status === 401 || status === 403) &&
          "The push service does not take our signature for this browser. Add it again on it.") ||
        ((status === 400 || status === 413) && "The push service does not take the message."),
    });
  },
};

/** What public/push-worker.js reads. */
function plaintextOf(message: Message): string {
  const { title, lines, links } = textOf(message);
  const tag = topicOf(message) ?? message.id;
  const says = {
    title: clipped(title, 150),
    url: links[0]?.address,
    tag,
    isUrgent: isUrgent(message),
  };
  const text = lines.join("\n");
  // Characters that JSON escapes take more bytes than their own.
  for (let max = maxPlaintext; ; max /= 2) {
    const plaintext = JSON.stringify({ ...says, body: clippedToBytes(text, max) });
    if (new TextEncoder().encode(plaintext).byteLength <= maxPlaintext) return plaintext;
  }
}

/** A newer message about one incident takes the place of an older one, at the push service and on the screen. */
function topicOf({ incidents }: Message): string | undefined {
  const [first, ...others] = incidents;
  const topic = first && others.length === 0 ? undashed(first.id) : "";
  return /^[\w-]{1,32}$/.test(topic) ? topic : undefined;
}
