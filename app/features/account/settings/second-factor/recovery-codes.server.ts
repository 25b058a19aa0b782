import type { User } from "@supabase/supabase-js";
import { redirect } from "react-router";
import { accountFailures as words } from "~/content/account";
import { resetAttempts } from "~/features/auth/attempt-limit.server";
import type { Failure } from "~/features/auth/auth-errors.server";
import { forgetSessionsOf } from "~/features/auth/session/live-session.server";
import type { Session } from "~/features/auth/session/session.server";
import { closePages, workspacesOf } from "~/features/workspaces/end-access.server";
import type { AppContext } from "~/http/app-context";
import { sha256Hex } from "~/http/hashes";
import { networkOf } from "~/http/network";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { type ActionContext, accountPage } from "../account-request.server";
import { codeAttempts, recoveryAttempts, refuseAttempt } from "./code-attempts.server";

/** Replaces a person's recovery codes and returns the new ones. They are shown once; the database has hashes. */
export async function makeRecoveryCodes(
  context: AppContext,
  userId: string,
): Promise<{ codes: readonly string[] } | Failure> {
  const codes = Array.from({ length: codesInSet }, newRecoveryCode);
  const hashes = await Promise.all(codes.map((code) => recoveryCodeHash(code.replaceAll("-", ""))));
  const { data: replaced, error } = await serviceClient(context.configuration).rpc(
    "replace_recovery_codes",
    { person: userId, hashes },
  );
  if (error) {
    logged("Recovery codes were not made", error);
    return { state: "failed", status: 503, message: words.unavailable };
  }
  return replaced ? { codes } : { state: "failed", status: 400, message: words.notFound };
}

/** Answers the account page's form for new recovery codes. */
export async function renewRecoveryCodes({ context, principal }: ActionContext) {
  const made = await makeRecoveryCodes(context, principal.user.id);
  if (!("codes" in made)) return made;
  return { state: "codes", status: 200, why: "renewed", codes: made.codes } as const;
}

/** How many codes are left; undefined when the database does not answer. */
export async function recoveryCodesLeft(
  context: AppContext,
  userId: string,
): Promise<number | undefined> {
  const { data, error } = await serviceClient(context.configuration).rpc("recovery_codes_left", {
    person: userId,
  });
  if (error) logged("Recovery codes were not counted", error);
  return data ?? undefined;
}

/** Binds the codes to the present second factors, after one was added. Reading them does this too. */
export async function keepRecoveryCodes(context: AppContext, userId: string): Promise<void> {
  const database = serviceClient(context.configuration);
  const { error } = await database.rpc("keep_recovery_codes", { person: userId });
  if (error) logged("Recovery codes were not kept", error);
}

/** Removes every code of a person, after the last second factor was removed. */
export async function removeRecoveryCodes(context: AppContext, userId: string): Promise<void> {
  const { error } = await serviceClient(context.configuration)
    .from("recovery_codes")
    .delete()
    .eq("user_id", userId);
  // Codes that remain are harmless: they are bound to second factors that do not exist any more.
  if (error) logged("Recovery codes were not removed", error);
}

/**
 * Accepts a recovery code in place of a lost second factor: ends all other sessions, removes the factors and the
 * other codes, and redirects to where a new factor is set up. If a factor could not be removed, the code stays
 * valid.
 */
export async function spendRecoveryCode(
  typed: string,
  { session, context, account }: { session: Session; context: AppContext; account: User },
): Promise<Failure | Response> {
  const letters = readRecoveryCode(typed);
  if (!letters) return { state: "failed", status: 400, message: words.recoveryCodeForm };
  const from = `${account.id} ${networkOf(context.caller.address ?? "unknown")}`;
  const refusal = await refuseAttempt(context, from, recoveryAttempts);
  if (refusal) return refusal;
  const database = serviceClient(context.configuration);
  const code = { person: account.id, hash: await recoveryCodeHash(letters) };
  const { data: found, error } = await database.rpc("use_recovery_code", code);
  if (error) {
    logged("A recovery code was not looked up", error);
    return { state: "failed", status: 503, message: words.unavailable };
  }
  if (!found) return { state: "failed", status: 400, message: words.recoveryCode };

  const failure = await removeFactors(account, { session, context });
  if (failure) {
    logged("A second factor was not removed for a recovery code", failure);
    await database.rpc("return_recovery_code", code);
    return { state: "failed", status: 503, message: words.recoveryUnavailable };
  }
  log.info("A recovery code removed a second factor");
  await Promise.all([
    removeRecoveryCodes(context, account.id),
    // A new factor begins with all its attempts.
    resetAttempts(context, account.id, codeAttempts),
    resetAttempts(context, from, recoveryAttempts),
  ]);
  return redirect(accountPage("second-factor", "factor-recovered"), 303);
}

async function removeFactors(
  { id: userId, factors = [] }: User,
  { session, context }: { session: Session; context: AppContext },
): Promise<Error | undefined> {
  const { error } = await session.supabase.auth.signOut({ scope: "others" });
  if (error) return error;
  forgetSessionsOf(userId);
  closePages(context, workspacesOf(context, userId), { person: userId });
  const { mfa } = serviceClient(context.configuration, context.caller).auth.admin;
  for (const { id } of factors) {
    const { error } = await mfa.deleteFactor({ userId, id });
    if (error && error.code !== "mfa_factor_not_found") return error;
  }
}

function logged(message: string, error: unknown): void {
  log.error(message, describeError(error));
}

/** Crockford's Base32: without I, L, O and U, so that no letter is mistaken for another. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = 6;
const lettersPerGroup = 4;

const codesInSet = 10;

/** A new code of 120 random bits, six groups of four letters. */
export function newRecoveryCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(groups * lettersPerGroup));
  // All letters are equally likely, because 256 is a multiple of 32.
  const letters = Array.from(bytes, (byte) => alphabet[byte % 32]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/**
 * The letters of a typed code: it accepts upper and lower case, spaces and hyphens, O for 0, and I or L for 1.
 * Undefined for a text that is no code.
 */
export function readRecoveryCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 200)
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{24}$/.test(letters) ? letters : undefined;
}

/** The hash of a code for the database. Codes of 120 random bits need no slow hash: SHA-256 is enough. */
export function recoveryCodeHash(letters: string): Promise<string> {
  return sha256Hex(letters);
}
