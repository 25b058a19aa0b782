import * as z from "zod/mini";
import { accountFailures as words } from "~/content/account";
import { signInFailures } from "~/content/sign-in-labels";
import { phoneNumber } from "~/features/auth/phone-number.server";
import type { Principal, Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { isProvider, type Provider } from "~/platform/env/providers";
import type { Done, Section } from "./account-outcome";

/** GoTrue hashes at most this many bytes of a password. */
const maxPasswordBytes = 72;

const text = z._default(z.string(), "");
const trimmed = z.pipe(
  text,
  z.transform((typed) => typed.trim()),
);
const email = z.pipe(
  trimmed,
  z
    .string()
    .check(
      z.minLength(1, { error: words.emailMissing, abort: true }),
      z.maxLength(254, { error: words.emailWrong, abort: true }),
      z.email({ error: words.emailWrong }),
    ),
);
const newPassword = text.check(
  z.minLength(1, signInFailures.passwordMissing),
  z.refine((typed) => new TextEncoder().encode(typed).length <= maxPasswordBytes, {
    error: signInFailures.passwordLong,
  }),
);
const factorId = z.guid({ error: words.notFound });

/** The six digits of an authenticator app. Spaces are accepted, because apps show two groups of three. */
export const appCode = z.pipe(
  z.pipe(
    text,
    z.transform((typed) => typed.replace(/\s/g, "")),
  ),
  z.string().check(z.regex(/^\d{6}$/, words.code)),
);

/** The digits of a text message: six to ten, as the auth server is set. */
export const sentCode = z.pipe(
  z.pipe(
    text,
    z.transform((typed) => typed.replace(/[\s-]/g, "")),
  ),
  z.string().check(z.regex(/^\d{6,10}$/, words.textedCode)),
);

export const accountRequests = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("change_email"), email }),
  z.object({ intent: z.literal("change_phone"), phone: phoneNumber }),
  z.object({ intent: z.literal("finish_phone_change"), phone: phoneNumber, code: text }),
  z.object({
    intent: z.literal("change_password"),
    current: z.optional(z.string().check(z.maxLength(1_000, words.currentWrong))),
    password: newPassword,
  }),
  z.object({
    intent: z.literal("link"),
    provider: z.custom<Provider>(isProvider, { error: words.noChoice }),
  }),
  z.object({ intent: z.literal("unlink"), identity: z.guid({ error: words.notLinked }) }),
  z.object({
    intent: z.literal("enrol"),
    name: z.pipe(
      trimmed,
      // PostgreSQL refuses a NUL character in a text.
      z.transform((typed) => typed.replace(/\p{Cc}/gu, "").slice(0, 60)),
    ),
  }),
  z.object({
    intent: z.literal("finish_enrolment"),
    factorId,
    code: text,
    secret: z.string().check(z.regex(/^[A-Z2-7]{16,128}$/, words.notFound)),
  }),
  z.object({ intent: z.literal("enrol_phone"), phone: phoneNumber }),
  z.object({
    intent: z.literal("finish_phone"),
    factorId,
    challengeId: z.guid({ error: words.notFound }),
    code: text,
  }),
  z.object({ intent: z.literal("remove_factor"), factorId }),
  z.object({ intent: z.literal("renew_codes") }),
  z.object({
    intent: z.literal("end_session"),
    session: z.guid({ error: words.noSession }),
  }),
  z.object({ intent: z.literal("sign_in_again") }),
  z.object({ intent: z.literal("delete"), confirmation: trimmed }),
]);

export type AccountRequest = z.output<typeof accountRequests>;
export type AccountIntent = AccountRequest["intent"];

const sectionOfIntent: Record<AccountIntent, Section> = {
  change_email: "email",
  change_phone: "phone",
  finish_phone_change: "phone",
  change_password: "password",
  link: "identities",
  unlink: "identities",
  enrol: "second-factor",
  finish_enrolment: "second-factor",
  enrol_phone: "second-factor",
  finish_phone: "second-factor",
  remove_factor: "second-factor",
  renew_codes: "second-factor",
  end_session: "sessions",
  sign_in_again: "password",
  delete: "deletion",
};

/** The checked request, or what is wrong with it and the section that says so. */
export function checkAccountRequest(
  form: URLSearchParams,
):
  | { ok: true; request: AccountRequest; section: Section }
  | { ok: false; section: Section; message: string } {
  const result = accountRequests.safeParse(Object.fromEntries(form));
  if (result.success) {
    return { ok: true, request: result.data, section: sectionOfIntent[result.data.intent] };
  }
  const named = form.get("intent") ?? "";
  const section = Object.hasOwn(sectionOfIntent, named)
    ? sectionOfIntent[named as AccountIntent]
    : "email";
  const [issue] = result.error.issues;
  const ours = issue && issue.code !== "invalid_union" && issue.code !== "invalid_type";
  return { ok: false, section, message: ours ? issue.message : words.noChoice };
}

/** A request that the guard has allowed, with the person who made it. */
export type ActionContext = {
  request: Request;
  context: AppContext;
  session: Session;
  principal: Principal;
};

/** The address of one section of the account page, with the key of what was done. */
export function accountPage(section: Section, done: Done): string {
  return `/dashboard/account?done=${done}#${section}`;
}
