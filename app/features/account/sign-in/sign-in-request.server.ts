import * as z from "zod/mini";
import { signInFailures as words } from "~/content/sign-in-labels";
import { phoneNumber as phone } from "~/features/auth/phone-number.server";
import { isProvider, type Provider } from "~/platform/env/providers";

/** GoTrue hashes at most this many bytes of a password. */
const maxPasswordBytes = 72;

const oneLine = z.pipe(
  z.optional(z.string()),
  z.transform((typed = "") => typed.trim()),
);
const email = (missing: string) =>
  z.pipe(
    oneLine,
    z
      .string()
      .check(
        z.minLength(1, { error: missing, abort: true }),
        z.maxLength(254, { error: words.emailWrong, abort: true }),
        z.email({ error: words.emailWrong }),
      ),
  );
const password = z
  ._default(z.string(), "")
  .check(z.minLength(1, words.credentialsMissing), z.maxLength(1_000, words.credentials));
const newPassword = (missing: string) =>
  z._default(z.string(), "").check(
    z.minLength(1, missing),
    z.refine((typed) => new TextEncoder().encode(typed).length <= maxPasswordBytes, {
      error: words.passwordLong,
    }),
  );
const code = z.pipe(
  z.pipe(
    oneLine,
    z.transform((typed) => typed.replace(/[\s-]/g, "")),
  ),
  z
    .string()
    .check(
      z.minLength(1, { error: words.codeMissing, abort: true }),
      z.regex(/^\d{6,10}$/, words.code),
    ),
);

/** Everything that the sign-in form can ask for. */
export const signInRequest = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("provider"),
    provider: z.custom<Provider>(isProvider, { error: words.noChoice }),
  }),
  z.object({
    intent: z.literal("one_tap"),
    // An ID token: three parts of base64url.
    credential: z
      ._default(z.string(), "")
      .check(z.maxLength(4_096, words.oneTap), z.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, words.oneTap)),
  }),
  z.object({ intent: z.literal("sign_in"), email: email(words.credentialsMissing), password }),
  z.object({
    intent: z.literal("sign_up"),
    email: email(words.credentialsMissing),
    password: newPassword(words.credentialsMissing),
  }),
  z.object({ intent: z.literal("resend_confirmation"), email: email(words.emailMissing) }),
  z.object({ intent: z.literal("forgotten_password"), email: email(words.emailMissing) }),
  z.object({ intent: z.literal("magic_link"), email: email(words.emailMissing) }),
  z.object({ intent: z.literal("phone_code"), phone }),
  z.object({
    intent: z.literal("update_password"),
    password: newPassword(words.passwordMissing),
  }),
  z.object({
    intent: z.literal("verify_email_code"),
    email: email(words.emailOrPhone),
    code,
    /** Without it the code is of the kind that the browser asked for. */
    kind: z.catch(z.optional(z.enum(["email", "recovery"])), undefined),
  }),
  z.object({ intent: z.literal("verify_phone_code"), phone, code }),
]);

export type SignInRequest = z.output<typeof signInRequest>;
export type Intent = SignInRequest["intent"];

export type SignInValues = { email: string; phone: string };

/** What was typed, to show it again. It never holds a password. */
export function signInValues(form: URLSearchParams): SignInValues {
  return {
    email: (form.get("email") ?? "").slice(0, 254),
    phone: (form.get("phone") ?? "").slice(0, 40),
  };
}

const intents = signInRequest.def.options.map((option) => option.def.shape.intent.def.values[0]);

/** The intent that a form names; undefined for an unknown one. The button of a provider names only the provider. */
export function intentOf(form: URLSearchParams): Intent | undefined {
  const named = form.get("intent") ?? (form.has("provider") ? "provider" : "");
  if (named === "verify_code") {
    return form.get("email") || !form.get("phone") ? "verify_email_code" : "verify_phone_code";
  }
  return intents.find((intent) => intent === named);
}

/** A checked request, or the first sentence about what is wrong with it. */
export function checkRequest(
  intent: Intent,
  form: URLSearchParams,
): { ok: true; request: SignInRequest } | { ok: false; message: string } {
  const result = signInRequest.safeParse({ ...Object.fromEntries(form), intent });
  if (result.success) return { ok: true, request: result.data };
  return { ok: false, message: result.error.issues[0]?.message ?? words.noChoice };
}
