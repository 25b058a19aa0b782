import { addressRules, checkCustomerAddress } from "./customer-address.server";
import {
  clipped,
  clippedToBytes,
  isUrgent,
  outcomeOf,
  placeOf,
  type Service,
  textOf,
} from "./service.server";

const topic = /^\/?((?:[^?]*\/)?)([\w-]{1,64})$/;
/** A longer message becomes a file, which a phone does not show. In bytes. */
const maxMessage = 4_096;

/** ntfy, at ntfy.sh or a server of one's own: https://docs.ntfy.sh/publish/#publish-as-json (2026-11-28). */
export const ntfy: Service = {
  check(typed, settings) {
    const checked = checkCustomerAddress(typed.url ?? "", addressRules(settings));
    if ("refusal" in checked) return checked;
    const { hostname, pathname, search } = new URL(checked.url);
    if (search || !topic.test(pathname)) {
      const refusal =
        "Write the address of the topic, such as https://ntfy.sh/my-topic: letters, digits, - and _, at most 64.";
      return { refusal };
    }
    const token = typed.token?.trim() ?? "";
    if (token && !/^[\w.~+/=-]{1,200}$/.test(token)) {
      return { refusal: "An access token of ntfy begins with tk_. Copy it once more." };
    }
    const fields = { url: checked.url, ...(token ? { token } : {}) };
    return { fields, place: placeOf(typed, `a topic at ${hostname}`) };
  },
  requests({ url = "", token }, message) {
    const { origin, pathname } = new URL(url);
    const [, folder = "", name = ""] = topic.exec(pathname) ?? [];
    const { title, lines, links } = textOf(message);
    const body = {
      topic: name,
      title: clipped(title, 250),
      message: clippedToBytes(lines.join("\n"), maxMessage),
      priority: isUrgent(message) ? 5 : 3,
      click: links[0]?.address,
    };
    const headers = token ? { headers: { authorization: `Bearer ${token}` } } : {};
    return [{ url: `${origin}/${folder}`, ...headers, body: JSON.stringify(body) }];
  },
  outcome(answer) {
    const { status } = answer;
    return outcomeOf("ntfy", answer, {
      refused:
        ((status === 401 || status === 403) &&
          "The ntfy server does not let this token, or nobody without one, write to the topic.") ||
        (status === 404 && "No ntfy server answers at this address.") ||
        ((status === 400 || status === 413) && "The ntfy server does not take the message."),
    });
  },
};
