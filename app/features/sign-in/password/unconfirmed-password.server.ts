import type { User } from "@supabase/supabase-js";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/**
 * Before a further link goes to an address, a repeated sign-up's included: whoever signed up with it
 * and never confirmed may be somebody else, so the password that they chose ends. A confirmed account
 * is left alone. Answers false when the database did not answer; then no link may go out. Whoever is
 * `signingUp` expects the password typed there to work: on arrival they choose it again.
 */
export async function voidUnconfirmedPassword(
  { configuration }: AppContext,
  address: string,
  { signingUp = false } = {},
): Promise<boolean> {
  const { error } = await serviceClient(configuration).rpc("void_unconfirmed_password", {
    address,
    signing_up: signingUp,
  });
  if (error) log.error("A password was not voided", describeError(error));
  return !error;
}

/** Whether they signed up again before they confirmed, so that no password works, and were not told yet. */
export function hasVoidedPassword({ app_metadata }: User): boolean {
  return app_metadata.password_voided === true;
}

/** Takes note that they were told. When the database does not answer they are told once more. */
export async function forgetVoidedPassword(
  { configuration }: AppContext,
  person: string,
): Promise<void> {
  const { error } = await serviceClient(configuration).rpc("forget_voided_password", { person });
  if (error) log.error("A voided password was not forgotten", describeError(error));
}
