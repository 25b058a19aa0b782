import * as z from "zod/mini";
import { ownerOfSentSession } from "~/features/auth/session/sent-session.server";
import type { Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { readForm } from "~/http/body/form.server";
import { sealedCookie } from "~/http/cookies/sealed-cookie.server";
import { removalOf } from "~/http/cookies/site-cookies";
import { type FormValues, readFormValues } from "./form-values";
import { stepOf } from "./steps";

/** Why somebody left a page before what they typed was saved. */
const reasons = ["sign-in", "plan"] as const;
type Reason = (typeof reasons)[number];

const shape = z.object({
  owner: z.string(),
  path: z.string(),
  body: z.string(),
  why: z._default(z.enum(reasons), "sign-in"),
});

/** A cookie holds about 4 kB, and encryption makes the text a third longer. */
const longestBody = 2500;

/**
 * What somebody posted while their session had ended or nobody could check it, or before they went to
 * change their plan, kept in their own browser until they are back: it works without script, and nothing
 * is stored with us. It is sealed and names its owner: whoever signs in here next is not shown it.
 */
function keptFormCookie(context: AppContext) {
  return sealedCookie(context, "unsaved-form", shape);
}

/** The Set-Cookie header that keeps a posted form for the page at its address. */
export async function keepForm(context: AppContext, request: Request): Promise<string | undefined> {
  if (!/^\/dashboard\/deployments\/.+/.test(pathOf(request))) return;
  const owner = await ownerOfSentSession(request);
  const form = await readForm(request);
  return owner ? keepFormOf(context, request, { owner, form, why: "sign-in" }) : undefined;
}

/** The same for a form that was read already; undefined for one that a cookie has no room for. */
export async function keepFormOf(
  context: AppContext,
  request: Request,
  { owner, form, why }: { owner: string; form: URLSearchParams; why: Reason },
): Promise<string | undefined> {
  const body = form.toString();
  if (body === "" || body.length > longestBody) return;
  return keptFormCookie(context).keep({ owner, path: pathOf(request), body, why });
}

/** The path of a request without `.data`, which React Router adds when a script asks for a page's data. */
function pathOf({ url }: Request): string {
  return new URL(url).pathname.replace(/\.data$/, "");
}

/**
 * What this person posted to this address and, if it names one, this step of it, with the version that
 * it was filled from.
 */
export async function readKeptForm(
  context: AppContext,
  request: Request,
  session: Session,
  step?: string,
): Promise<{ formValues: FormValues; version: number; notice: string } | undefined> {
  const kept = await keptFormCookie(context).read(request);
  const visitor = await session.visitor();
  if (!kept || visitor.state !== "signed-in" || visitor.userId !== kept.owner) return;
  const form = new URLSearchParams(kept.body);
  if (kept.path !== pathOf(request) || (step !== undefined && stepOf(form.get("step")) !== step))
    return;
  return {
    formValues: readFormValues(form),
    version: versionSeen(form.get("version")),
    notice: `This is what you typed before you ${wentTo[kept.why]}. It is not saved yet.`,
  };
}

const wentTo: Record<Reason, string> = { "sign-in": "had to sign in", plan: "left for your plan" };

/** The version that a form was filled from. Anything else is 0, which conflicts with every saved version. */
export function versionSeen(posted: string | null): number {
  return /^\d{1,9}$/.test(posted ?? "") ? Number(posted) : 0;
}

/** The Set-Cookie header that forgets it, once it is saved. */
export const keptFormRemoval = removalOf("unsaved-form");
