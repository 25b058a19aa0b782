import { redirect } from "react-router";
import { type Failure, failureOf } from "~/auth/auth-errors.server";
import type { Session } from "~/auth/session.server";
import { accountFailures, accountWords } from "~/content/account";
import { brand } from "~/content/chrome";
import type { Enrolment } from "./account-outcome";
import { appCode } from "./account-request.server";
import { type Asked, accountPage } from "./asked.server";

type Enrolling = { state: "enrolling"; status: number; enrolment: Enrolment; message?: string };
type NotOffered = { state: "not-offered"; status: 200 };

/** Begins a second factor: a secret for an authenticator app, shown once. */
export async function enrol(
  name: string,
  { session, writer, context }: Asked,
): Promise<Failure | Enrolling | NotOffered> {
  const { mfa } = session.supabase.auth;
  const present = writer.account.factors ?? [];
  // What was begun and never finished would keep its name.
  for (const { id, status } of present) {
    if (status !== "verified") await mfa.unenroll({ factorId: id });
  }
  const { data, error } = await mfa.enroll({
    factorType: "totp",
    friendlyName: freeName(
      name || accountWords.secondFactor.standardName,
      present.filter(({ status }) => status === "verified"),
    ),
    issuer: brand,
  });
  if (!error) {
    const { qr_code: qr, secret } = data.totp;
    return { state: "enrolling", status: 200, enrolment: { factorId: data.id, secret, qr } };
  }
  if (error.status === 404 || error.code?.endsWith("_not_enabled")) {
    return { state: "not-offered", status: 200 };
  }
  if (error.code === "too_many_enrolled_mfa_factors") {
    return { state: "failed", status: 400, message: accountFailures.tooMany };
  }
  return failureOf(error, context.requestId, accountFailures.unavailable);
}

function freeName(wanted: string, present: readonly { friendly_name?: string | undefined }[]) {
  const taken = new Set(present.map(({ friendly_name }) => friendly_name));
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted} ${count}`;
  return name;
}

/** Turns a second factor on with the first code that its app shows. */
export async function finishEnrolment(
  { factorId, secret, code }: { factorId: string; secret: string; code: string },
  { session, context }: Asked,
): Promise<Failure | Enrolling | Response> {
  const failure = await giveCode(factorId, code, session, context.requestId);
  if (!failure) return redirect(accountPage("second-factor", "factor-added"), 303);
  return {
    state: "enrolling",
    status: failure.status,
    enrolment: { factorId, secret },
    message: failure.message,
  };
}

/** Removes a second factor for good. */
export async function removeFactor(
  factorId: string,
  { session, writer, context }: Asked,
): Promise<Failure | Response> {
  if (!writer.account.factors?.some(({ id }) => id === factorId)) {
    return { state: "failed", status: 400, message: accountFailures.notFound };
  }
  const { auth } = session.supabase;
  const { error } = await auth.mfa.unenroll({ factorId });
  if (error) return failureOf(error, context.requestId, accountFailures.notFound);
  // The token still says aal2; the next one tells the truth.
  await auth.refreshSession();
  return redirect(accountPage("second-factor", "factor-removed"), 303);
}

/** Gives the code of a second factor; the session then counts as proved twice. */
export async function giveCode(
  factorId: string,
  typed: string,
  { supabase }: Session,
  requestId: string,
): Promise<Failure | undefined> {
  const checked = appCode.safeParse(typed);
  if (!checked.success) return { state: "failed", status: 400, message: accountFailures.code };
  const { error } = await supabase.auth.mfa.challengeAndVerify({ factorId, code: checked.data });
  return error ? failureOf(error, requestId, accountFailures.code) : undefined;
}
