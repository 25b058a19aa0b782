import * as z from "zod/mini";
import { livePath, liveProtocol } from "~/features/servers/live/protocol";
import { withinCredentialLimit, withinNetworkLimit } from "../ingest/call-limits.server";
import { keySecrets } from "../ingest/key-secrets.server";
import { logFailure } from "../log-failure";
import { readTicket } from "./tickets.server";

export const isLivePath = (request: Request): boolean => new URL(request.url).pathname === livePath;

const variables = z.object({ SITE_URL: z.url() });

/** The header in which the object gets the ticket that was read here. Nobody else can call it. */
export const ticketHeader = "x-ticket";

/**
 * Opens a socket for a page of the site: it must come from the site's own origin, with a ticket that the site handed out.
 * Whatever is refused here has cost no object anything. An object that fails is a 503: the page tries again by itself.
 */
export async function answerPage(request: Request, env: ServersEnv): Promise<Response> {
  try {
    return await openSocket(request, env);
  } catch (error) {
    logFailure("A page's socket was not opened", error);
    return refuse(503, "The console cannot be reached right now. It is tried again by itself.");
  }
}

async function openSocket(request: Request, env: ServersEnv): Promise<Response> {
  const { headers } = request;
  if (request.method !== "GET" || headers.get("upgrade")?.toLowerCase() !== "websocket") {
    return refuse(426, "This address is for the sockets of pages.", { upgrade: "websocket" });
  }
  if (!(await withinNetworkLimit(request, env, "page"))) {
    return refuse(429, "Too many sockets were asked for from here.");
  }
  if (headers.get("origin") !== siteOrigin(env)) {
    return refuse(403, "Only pages of the console may open a socket.");
  }
  const offered = (headers.get("sec-websocket-protocol") ?? "")
    .split(",")
    .map((each) => each.trim());
  const sent = offered.find((each) => each !== liveProtocol) ?? "";
  const ticket = offered.includes(liveProtocol)
    ? await readTicket(keySecrets(env), sent)
    : undefined;
  if (!ticket) return refuse(401, "This ticket was not made here. Load the page again.");
  if (!(await withinCredentialLimit(env, `session ${ticket.session}`))) {
    return refuse(429, "Too many sockets were asked for by this session.");
  }
  const fleet = env.FLEETS.getByName(ticket.workspace);
  return fleet.fetch("https://fleet.invalid/", {
    headers: { upgrade: "websocket", [ticketHeader]: JSON.stringify(ticket) },
  });
}

function siteOrigin(env: object): string {
  return new URL(variables.parse(env).SITE_URL).origin;
}

export function refuse(
  status: number,
  sentence: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${sentence}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...headers,
    },
  });
}
