import type { User } from "@supabase/supabase-js";
import { redirect } from "react-router";
import { accountFailures, unnamed } from "~/content/account";
import { brand } from "~/content/chrome";
import { resetAttempts } from "~/features/auth/attempt-limit.server";
import { type Failure, failureOf } from "~/features/auth/auth-errors.server";
import type { Principal, Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import type { Enrolment } from "../account-outcome";
import { type ActionContext, accountPage, appCode } from "../account-request.server";
import { codeAttempts, refuseAttempt, refuseUsedCode, returnCode } from "./code-attempts.server";
import { keepRecoveryCodes, makeRecoveryCodes, removeRecoveryCodes } from "./recovery-codes.server";

type Enrolling = { state: "enrolling"; status: number; enrolment: Enrolment; message?: string };
type NotOffered = { state: "not-offered"; status: 200 };
export type NewCodes = { state: "codes"; status: 200; why: "added"; codes: readonly string[] };

/** Begins to set up a second factor: returns a secret for an authenticator app. */
export async function enrol(
  name: string,
  { session, principal }: ActionContext,
): Promise<Failure | Enrolling | NotOffered> {
  const { mfa } = session.supabase.auth;
  const existing = principal.account.factors ?? [];
  await removeUnfinished(session, existing);
  const { data, error } = await mfa.enroll({
    factorType: "totp",
    friendlyName: freeName(
      name || unnamed.secondFactor,
      existing.filter(({ status }) => status === "verified"),
    ),
    issuer: brand,
  });
  if (!error) {
    const { uri, secret } = data.totp;
    const qr = await qrPicture(uri);
    return { state: "enrolling", status: 200, enrolment: { factorId: data.id, secret, qr } };
  }
  if (error.status === 404 || error.code?.endsWith("_not_enabled")) {
    return { state: "not-offered", status: 200 };
  }
  if (error.code === "too_many_enrolled_mfa_factors") {
    return { state: "failed", status: 400, message: accountFailures.tooMany };
  }
  return failureOf(error, accountFailures.unavailable);
}

/** Removes factors that were begun and never finished, because their names would stay taken. */
export async function removeUnfinished(
  { supabase }: Session,
  factors: readonly { id: string; status: string }[],
): Promise<void> {
  for (const { id, status } of factors) {
    if (status !== "verified") await supabase.auth.mfa.unenroll({ factorId: id });
  }
}

export function freeName(
  basis: string,
  existing: readonly { friendly_name?: string | undefined }[],
) {
  const usedNames = new Set(existing.map(({ friendly_name }) => friendly_name));
  let name = basis;
  for (let count = 2; usedNames.has(name); count++) name = `${basis} ${count}`;
  return name;
}

/**
 * Turns a second factor on with the first code of the app. After the first factor, recovery codes are made and
 * shown; if that fails, the page says that there are none.
 */
export async function finishEnrolment(
  { factorId, secret, code }: { factorId: string; secret: string; code: string },
  { session, principal, context }: ActionContext,
): Promise<Failure | Enrolling | NewCodes | Response> {
  // Only a factor that is being set up is accepted here. The codes of others are checked on the code page.
  const factor = principal.account.factors?.find(({ id }) => id === factorId);
  if (factor?.status !== "unverified") {
    return { state: "failed", status: 400, message: accountFailures.notFound };
  }
  const checked = appCode.safeParse(code);
  const failure = checked.success
    ? await giveCode([factorId], checked.data, { session, context, userId: principal.user.id })
    : wrongCode;
  if (failure) {
    const { status, message } = failure;
    return { state: "enrolling", status, enrolment: { factorId, secret }, message };
  }
  return finished(principal, context);
}

/** After a factor was turned on: makes recovery codes for the first one, and keeps those that there are for another. */
export async function finished(
  principal: Principal,
  context: AppContext,
): Promise<NewCodes | Response> {
  const isFirst = !principal.account.factors?.some(({ status }) => status === "verified");
  if (!isFirst) await keepRecoveryCodes(context, principal.user.id);
  const made = isFirst ? await makeRecoveryCodes(context, principal.user.id) : undefined;
  return made && "codes" in made
    ? { state: "codes", status: 200, why: "added", codes: made.codes }
    : redirect(accountPage("second-factor", "factor-added"), 303);
}

/** Removes a second factor for good. */
export async function removeFactor(
  factorId: string,
  { session, principal, context }: ActionContext,
): Promise<Failure | Response> {
  const { factors = [] } = principal.account;
  if (!factors.some(({ id }) => id === factorId)) {
    return { state: "failed", status: 400, message: accountFailures.notFound };
  }
  const { auth } = session.supabase;
  const { error } = await auth.mfa.unenroll({ factorId });
  if (error) return failureOf(error, accountFailures.notFound);
  const isLast = !factors.some(({ id, status }) => id !== factorId && status === "verified");
  if (isLast) await removeRecoveryCodes(context, principal.user.id);
  // The present token still says aal2, so a new one is fetched.
  await auth.refreshSession();
  return redirect(accountPage("second-factor", "factor-removed"), 303);
}

const wrongCode: Failure = { state: "failed", status: 400, message: accountFailures.code };

/** Checks a typed code against all authenticator apps of the person. It counts as one of five attempts. */
export async function tryCode(
  typed: string,
  { session, context, account }: { session: Session; context: AppContext; account: User },
): Promise<Failure | undefined> {
  const checked = appCode.safeParse(typed);
  if (!checked.success) return wrongCode;
  const refusal = await refuseAttempt(context, account.id, codeAttempts);
  if (refusal) return refusal;
  const apps = (account.factors ?? []).filter(isApp);
  const failure = await giveCode(
    apps.map(({ id }) => id),
    checked.data,
    { session, context, userId: account.id },
  );
  if (!failure) await resetAttempts(context, account.id, codeAttempts);
  return failure;
}

/** Whether a factor is an authenticator app that was turned on. To try a code with a telephone would text to it. */
export function isApp({ status, factor_type }: { status: string; factor_type: string }): boolean {
  return status === "verified" && factor_type === "totp";
}

/** Tries a code for each of these factors until one accepts it. The session then has the level aal2. */
async function giveCode(
  factorIds: readonly string[],
  code: string,
  { session, context, userId }: { session: Session; context: AppContext; userId: string },
): Promise<Failure | undefined> {
  const refusal = await refuseUsedCode(context, userId, code);
  if (refusal) return refusal;
  let failure = wrongCode;
  for (const factorId of factorIds) {
    const { error } = await session.supabase.auth.mfa.challengeAndVerify({ factorId, code });
    if (!error) return;
    failure = failureOf(error, accountFailures.code);
  }
  // At 503 nobody knows whether the auth server accepted the code, so it stays used.
  if (failure.status !== 503) await returnCode(context, userId, code);
  return failure;
}

/** The URL that an authenticator app reads, as a QR code for an `img`. The auth server's own is up to a megabyte. */
async function qrPicture(uri: string): Promise<string> {
  const { renderSVG } = await import("uqr");
  const svg = renderSVG(uri, { border: 4, pixelSize: 1 });
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
