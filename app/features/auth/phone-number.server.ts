import * as z from "zod/mini";
import { signInFailures as words } from "~/content/sign-in-labels";
import type { Failure } from "~/features/auth/auth-errors.server";
import type { Configuration } from "~/platform/env/configuration.server";

/** A telephone number as somebody types it, of E.164 with its plus sign. Spaces and other signs between are accepted. */
export const phoneNumber = z.pipe(
  z.pipe(
    z.optional(z.string()),
    z.transform((typed = "") => typed.replace(/[\s().-]/g, "")),
  ),
  z
    .string()
    .check(
      z.minLength(1, { error: words.emailOrPhone, abort: true }),
      z.regex(/^\+[1-9]\d{6,14}$/, words.phoneWrong),
    ),
);

/**
 * Refuses a number of a country that `SMS_COUNTRIES` does not list: texts to some countries cost a multiple, and whoever
 * owns a number there may earn by each. Undefined if a text may go there.
 */
export function refuseCountry(
  { SMS_COUNTRIES }: Configuration,
  phone: string,
): Failure | undefined {
  if (SMS_COUNTRIES.length === 0) return;
  if (SMS_COUNTRIES.some((code) => phone.startsWith(`+${code}`))) return;
  return { state: "failed", status: 400, message: words.phoneCountry };
}

/** How a page names a number before its owner has proved who they are. */
export function phoneEnding(phone: string): string {
  return phone.slice(-2);
}
