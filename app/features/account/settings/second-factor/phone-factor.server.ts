import type { User } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { accountFailures, unnamed } from "~/content/account";
import { signInFailures } from "~/content/sign-in-labels";
import { resetAttempts } from "~/features/auth/attempt-limit.server";
import { type Failure, failureOf } from "~/features/auth/auth-errors.server";
import { phoneEnding } from "~/features/auth/phone-number.server";
import type { Principal, Session } from "~/features/auth/session/session.server";
import { refuseText } from "~/features/auth/text-limits.server";
import type { AppContext } from "~/http/app-context";
import { log } from "~/platform/log/log.server";
import type { TextedCode } from "../account-outcome";
import { type ActionContext, sentCode } from "../account-request.server";
import { codeAttempts, refuseAttempt } from "./code-attempts.server";
import { finished, freeName, type NewCodes, removeUnfinished } from "./second-factor.server";

type Texted = { state: "texted"; status: number; texted: TextedCode; message?: string };

const phoneFactor = z.object({
  id: z.string(),
  factor_type: z.literal("phone"),
  status: z.enum(["verified", "unverified"]),
  phone: z.string(),
});
type PhoneFactor = z.output<typeof phoneFactor>;

/** The telephones of a person that are a second factor, or are being set up as one. */
export function phoneFactorsOf({ factors = [] }: Pick<User, "factors">): PhoneFactor[] {
  return factors.flatMap((factor) => {
    const { data } = phoneFactor.safeParse(factor);
    return data ? [data] : [];
  });
}

/** Begins to set a telephone up as second factor: texts a first code to it. */
export async function enrolPhone(
  phone: string,
  action: ActionContext,
): Promise<Failure | Texted | { state: "not-offered"; status: 200 }> {
  const { session, principal, context } = action;
  if (!context.configuration.SECOND_FACTOR_SMS) return { state: "not-offered", status: 200 };
  if (signsIn(principal, phone)) return signInNumber;
  const person = principal.user.id;
  const refusal = await refuseText(context, { person, phone, isNew: true });
  if (refusal) return refusal;
  const existing = principal.account.factors ?? [];
  await removeUnfinished(session, existing);
  const { data, error } = await session.supabase.auth.mfa.enroll({
    factorType: "phone",
    phone,
    friendlyName: freeName(
      unnamed.phoneFactor.replace("{ending}", phoneEnding(phone)),
      existing.filter(({ status }) => status === "verified"),
    ),
  });
  if (!error) return textCode(data.id, phone, session);
  if (error.status === 404 || error.code?.endsWith("_not_enabled")) {
    return { state: "not-offered", status: 200 };
  }
  if (error.code === "mfa_verified_factor_exists") {
    return { state: "failed", status: 400, message: accountFailures.phoneKnown };
  }
  if (error.code === "too_many_enrolled_mfa_factors") {
    return { state: "failed", status: 400, message: accountFailures.tooMany };
  }
  return failureOf(error, signInFailures.phoneWrong);
}

/** Turns a telephone on as second factor with the first code that was texted to it. */
export async function finishPhone(
  { factorId, challengeId, code }: { factorId: string; challengeId: string; code: string },
  action: ActionContext,
): Promise<Failure | Texted | NewCodes | Response> {
  const { session, principal, context } = action;
  const factor = phoneFactorsOf(principal.account).find(({ id }) => id === factorId);
  if (factor?.status !== "unverified") {
    return { state: "failed", status: 400, message: accountFailures.notFound };
  }
  // It may have become the number that signs in since the code was asked for.
  if (signsIn(principal, factor.phone)) return signInNumber;
  const failure =
    (await refuseAttempt(context, principal.user.id, codeAttempts)) ??
    (await giveTextedCode({ factorId, challengeId, code }, session));
  if (failure) {
    const { status, message } = failure;
    return {
      state: "texted",
      status,
      texted: { factorId, challengeId, to: factor.phone },
      message,
    };
  }
  await resetAttempts(context, principal.user.id, codeAttempts);
  return finished(principal, context);
}

const signInNumber: Failure = {
  state: "failed",
  status: 400,
  message: accountFailures.phoneSignsIn,
};

/** Whether a number signs in: who has its SIM would then have the second factor too. */
function signsIn({ account }: Principal, phone: string): boolean {
  return account.phone === phone.replace("+", "");
}

type Giving = { session: Session; context: AppContext; account: User };

/** Texts a code to a telephone that is a second factor of the person, at sign-in. */
export async function textSignInCode(
  factorId: string,
  { session, context, account }: Giving,
): Promise<Failure | { texted: TextedCode }> {
  const factor = phoneFactorsOf(account).find(
    ({ id, status }) => id === factorId && status === "verified",
  );
  if (!factor) return { state: "failed", status: 400, message: accountFailures.notFound };
  const { phone } = factor;
  const refusal = await refuseText(context, { person: account.id, phone, isNew: false });
  if (refusal) return refusal;
  const answer = await textCode(factorId, phone, session);
  if (answer.state === "failed") return answer;
  return { texted: { ...answer.texted, to: phoneEnding(phone) } };
}

/** Checks a texted code of one of the person's telephones. It counts as one of five attempts. */
export async function tryTextedCode(
  given: { factorId: string; challengeId: string; code: string },
  { session, context, account }: Giving,
): Promise<Failure | undefined> {
  const isTheirs = phoneFactorsOf(account).some(
    ({ id, status }) => id === given.factorId && status === "verified",
  );
  if (!isTheirs) return { state: "failed", status: 400, message: accountFailures.notFound };
  const failure =
    (await refuseAttempt(context, account.id, codeAttempts)) ??
    (await giveTextedCode(given, session));
  if (!failure) await resetAttempts(context, account.id, codeAttempts);
  return failure;
}

async function textCode(
  factorId: string,
  phone: string,
  { supabase }: Session,
): Promise<Failure | Texted> {
  const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: "sms" });
  if (!error) {
    log.info("A code was texted", { for: "second factor" });
    const texted = { factorId, challengeId: data.id, to: phone };
    return { state: "texted", status: 200, texted };
  }
  // The auth server sends one a minute to each telephone.
  if (error.code === "over_sms_send_rate_limit") {
    const message = accountFailures.textedBefore;
    return { state: "failed", status: 429, message, retryAfter: 60 };
  }
  return failureOf(error, accountFailures.notFound);
}

async function giveTextedCode(
  { factorId, challengeId, code }: { factorId: string; challengeId: string; code: string },
  { supabase }: Session,
): Promise<Failure | undefined> {
  const checked = sentCode.safeParse(code);
  const wrong: Failure = { state: "failed", status: 400, message: accountFailures.textedCode };
  if (!checked.success) return wrong;
  const { error } = await supabase.auth.mfa.verify({ factorId, challengeId, code: checked.data });
  if (!error) return;
  // A telephone changes its network: the auth server takes a code only from the address that asked for it.
  if (error.code === "mfa_ip_address_mismatch" || error.code === "mfa_challenge_expired") {
    return { state: "failed", status: 400, message: accountFailures.textedElsewhere };
  }
  return failureOf(error, accountFailures.textedCode);
}
