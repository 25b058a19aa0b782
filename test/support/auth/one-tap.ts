import { localGoogleClient } from "../../../fakes/supabase/fake.ts";
import { fakes } from "../site/control-fakes.ts";

/** What the site must be told to offer One Tap. */
export const oneTapVariables = { GOOGLE_ONE_TAP_CLIENT_ID: localGoogleClient.id };

/** The ID token that the fake of Google gives a page, as its frame has it for this account. */
export async function googleCredential(
  nonce: string,
  email = "customer.one@example.com",
  clientId = localGoogleClient.id,
): Promise<string> {
  const query = new URLSearchParams({ client_id: clientId, nonce });
  const page = await (await fetch(`${fakes().google.url}/gsi/iframe/select?${query}`)).text();
  const found = page.match(/data-credential="[^"]*">[^<]*/g)?.find((each) => each.includes(email));
  return /"([^"]*)"/.exec(found ?? "")?.[1] ?? "";
}

/** The hash of the nonce that the sign-up page hands to Google's script. */
export function nonceIn(page: string): string {
  return /\\"nonce\\",\\"([0-9a-f]{64})\\"/.exec(page)?.[1] ?? "";
}
