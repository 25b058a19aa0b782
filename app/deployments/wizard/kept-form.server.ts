import * as z from "zod/mini";
import { ownerOfSentSession } from "~/auth/sent-session.server";
import type { Session } from "~/auth/session.server";
import { readForm } from "~/request/form.server";
import type { RequestContext } from "~/request/request-context";
import { sealedCookie } from "~/request/sealed-cookie.server";
import { removalOf } from "~/request/site-cookies";
import { type Typed, typedOfForm } from "./typed-options";

const shape = z.object({ owner: z.string(), path: z.string(), body: z.string() });

/** A cookie has room for about 4 kB, and sealing makes it a third longer. */
const longestBody = 2500;

/**
 * What somebody posted while their session had ended or nobody could check it, kept in their own
 * browser until they are signed in again: it works without script, and nothing is stored with us. It
 * is sealed and names its owner: whoever signs in here next is not shown it.
 */
function keptFormCookie(asked: RequestContext) {
  return sealedCookie(asked, "unsaved-form", shape);
}

/** The Set-Cookie header that keeps a posted form for the page at its address. */
export async function keepForm(
  asked: RequestContext,
  request: Request,
): Promise<string | undefined> {
  const { pathname } = new URL(request.url);
  const path = pathname.replace(/\.data$/, "");
  if (!/^\/dashboard\/deployments\/.+/.test(path)) return;
  const body = (await readForm(request)).toString();
  if (body === "" || body.length > longestBody) return;
  const owner = await ownerOfSentSession(request);
  return owner ? keptFormCookie(asked).keep({ owner, path, body }) : undefined;
}

/**
 * What this person posted to this address and, if it names one, this step of it, with the version that
 * it was filled from.
 */
export async function readKeptForm(
  asked: RequestContext,
  request: Request,
  session: Session,
  step?: string,
): Promise<{ typed: Typed; version: number } | undefined> {
  const kept = await keptFormCookie(asked).read(request);
  const visitor = await session.visitor();
  if (!kept || visitor.state !== "signed-in" || visitor.userId !== kept.owner) return;
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  const form = new URLSearchParams(kept.body);
  if (kept.path !== path || (step !== undefined && form.get("step") !== step)) return;
  return { typed: typedOfForm(form), version: versionSeen(form.get("version")) };
}

/** The version that a form was filled from; whatever is no version conflicts with every one. */
export function versionSeen(posted: string | null): number {
  return /^\d{1,9}$/.test(posted ?? "") ? Number(posted) : 0;
}

/** The Set-Cookie header that forgets it, once it is saved. */
export const keptFormRemoval = removalOf("unsaved-form");
