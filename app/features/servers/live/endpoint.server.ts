import * as z from "zod/mini";
import { livePath, liveProtocol } from "~/features/servers/live/protocol";
import { dashed, fromHex, toHex, undashed } from "~/http/encodings";
import { signingKey } from "~/http/hashes";
import {
  keySecrets,
  withinCredentialLimit,
  withinNetworkLimit,
} from "../ingest/credentials.server";
import { logFailure } from "../log-failure";

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

// A ticket lets one session of one person open a socket to the fleet of one workspace:
// `lkd_t_<workspace>_<session>_<person>_<end>_<tag>`, ids without dashes, the end in milliseconds since 1970. It goes
// as a subprotocol of the socket, because addresses are logged. Its tag is made under a label of its own: neither a
// token nor a key of a machine is a ticket.

/** For how long a ticket holds. */
export const ticketMs = 60_000;
const form = /^(lkd_t_([0-9a-f]{32})_([0-9a-f]{32})_([0-9a-f]{32})_([0-9]{13,15}))_([0-9a-f]{64})$/;

/** The session that reads a live page, and its user: what a ticket is made for. */
export type PageSession = { session: string; person: string };
/** Times in milliseconds since 1970. */
export type Ticket = PageSession & { workspace: string; madeAt: number; ends: number };

/** A ticket for a minute from `now`, which is the object's time. */
export async function newTicket(
  secrets: readonly string[],
  { workspace, session, person }: PageSession & { workspace: string },
  now: number,
): Promise<string> {
  const ids = [workspace, session, person].map(undashed);
  const text = `lkd_t_${ids.join("_")}_${now + ticketMs}`;
  const tag = await crypto.subtle.sign("HMAC", await keyOf(secrets[0] ?? ""), bytesOf(text));
  return `${text}_${toHex(new Uint8Array(tag))}`;
}

/** What a ticket says; undefined for one that was not made here. Whether it has ended is the object's to say. */
export async function readTicket(
  secrets: readonly string[],
  ticket: string,
): Promise<Ticket | undefined> {
  const [, text, workspace, session, person, end, tag] = form.exec(ticket) ?? [];
  if (!text || !workspace || !session || !person || !tag) return;
  const sent = fromHex(tag);
  for (const secret of secrets) {
    if (!(await crypto.subtle.verify("HMAC", await keyOf(secret), sent, bytesOf(text)))) continue;
    const ends = Number(end);
    return {
      workspace: dashed(workspace),
      session: dashed(session),
      person: dashed(person),
      madeAt: ends - ticketMs,
      ends,
    };
  }
}

const keyOf = (secret: string) => signingKey(secret, "tickets of live pages");

const bytesOf = (text: string) => new TextEncoder().encode(text);
