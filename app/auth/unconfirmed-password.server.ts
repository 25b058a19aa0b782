import { serviceClient } from "~/database/service-client.server";
import { describeError, log } from "~/observability/log.server";
import type { RequestContext } from "~/request/request-context";

/**
 * Before a further link goes to an address, a repeated sign-up's included: whoever signed up with it
 * and never confirmed may be somebody else, so the password that they chose ends. A confirmed account
 * is left alone. Answers false when the database did not answer; then no link may go out.
 */
export async function voidUnconfirmedPassword(
  { configuration, requestId }: RequestContext,
  address: string,
): Promise<boolean> {
  const { error } = await serviceClient(configuration).rpc("void_unconfirmed_password", {
    address,
  });
  if (error) log.error("A password was not voided", { requestId, ...describeError(error) });
  return !error;
}
