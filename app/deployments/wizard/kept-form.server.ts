import { readForm } from "~/request/form.server";
import type { RequestContext } from "~/request/request-context";
import { signedCookie } from "~/request/signed-cookie.server";
import { type Typed, typedOfForm } from "./typed-options";

type Kept = { path: string; body: string };

/** A cookie has room for about 4 kB. */
const longestBody = 2500;

/**
 * What somebody posted while their session had ended or nobody could check it, kept in their own
 * browser until they are signed in again: it works without script, and nothing is stored with us.
 */
function keptFormCookie({ configuration }: RequestContext) {
  return signedCookie(configuration, "unsaved-form", {
    path: "/dashboard/deployments",
    maxAge: 30 * 60,
  });
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
  return keptFormCookie(asked).serialize({ path, body } satisfies Kept);
}

/** What was kept for this address and, if it names one, this step of it, with the version that it was filled from. */
export async function readKeptForm(
  asked: RequestContext,
  request: Request,
  step?: string,
): Promise<{ typed: Typed; version: number } | undefined> {
  const kept: unknown = await keptFormCookie(asked).parse(request.headers.get("cookie"));
  if (!isKept(kept)) return;
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
export function forgetKeptForm(asked: RequestContext): Promise<string> {
  return keptFormCookie(asked).serialize("", { maxAge: 0 });
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === "object" &&
    value !== null &&
    "path" in value &&
    typeof value.path === "string" &&
    "body" in value &&
    typeof value.body === "string"
  );
}
