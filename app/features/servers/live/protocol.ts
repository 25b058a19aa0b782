import * as z from "zod/mini";

// The protocol between a page and the servers Worker over a socket. The page sends `ping`, which is answered without
// waking the object, and `renew <ticket>`. The object sends page notifications.

export const livePath = "/v1/live";

/** The subprotocol that is agreed on. The ticket is offered beside it, because an address would be logged. */
export const liveProtocol = "livekit-deploy-live";

/** Why the object closes a socket. A page reads itself again after each, and so learns what it may still see. */
export const closeCodes = {
  /** Its ticket has ended before it was renewed. */
  ended: 4401,
  /** The session ended, or the person is no member any more. */
  closed: 4403,
  /** The person has as many sockets as somebody may have, and opened one more. */
  replaced: 4408,
  /** What it sent is nothing of this protocol. */
  unknown: 4400,
} as const;

/**
 * Says that a page is out of date, and nothing of what it will show: `changed` are the servers whose state is another,
 * `reported` those that have newer figures, `servers` how many are connected.
 */
export type PageNotification = z.infer<typeof pageNotification>;

const pageNotification = z.object({
  changed: z.array(z.string()),
  reported: z.array(z.string()),
  servers: z.number(),
});

/** What arrived over the socket; undefined for anything but a page notification. */
export function readPageNotification(text: string): PageNotification | undefined {
  try {
    return pageNotification.safeParse(JSON.parse(text)).data;
  } catch {
    return;
  }
}

/**
 * The documents whose content policy allows the socket of the fleet: the console, in which the router shows the pages of
 * servers. Pages that speak with a deployment's server are left out: their policy names the customer's own server alone.
 */
export function mayConnect(path: string): boolean {
  return /^\/dashboard(\/|$)/.test(path) && !/\/(call|connection-test|rooms)$/.test(path);
}
