import type { OperationResult } from "../../../app/features/google/tools/operation.ts";
import { googleCallbackUrl, localGoogleClient } from "../../../fakes/supabase/fake.ts";
import { fakes } from "../site/control-fakes.ts";
import type { Visitor } from "../site/visitor.ts";
import { consentAtGoogle, googleEmail } from "./google-fake.ts";

/** Connects a visitor's Google account for a tool; answers where they end. */
export async function connectGoogle(
  visitor: Visitor,
  { tool, tab, email = googleEmail }: { tool: string; tab: string; email?: string },
): Promise<URL> {
  const body = { intent: "connect", tool, tab };
  const answer = await visitor.post("/google-services/connection", body);
  const { url }: { url: string } = await answer.json();
  const { url: end } = await visitor.chooseGoogleAccount(await visitor.request(url), url, email);
  return end;
}

/** Submits a tab of a tool, as its dialog does. */
export async function callTool(
  visitor: Visitor,
  address: string,
  fields: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; outcome: OperationResult }> {
  const response = await visitor.post(`/google-services/call/${address}`, fields);
  const { status, headers } = response;
  return { status, headers, outcome: (await response.json()) as OperationResult };
}

/** Lets a message arrive in the inbox of an account at the Google fake. */
export async function mailArrives(message: string, email = googleEmail): Promise<void> {
  const { google, supabase } = fakes();
  const client = {
    url: google.url,
    clientId: localGoogleClient.id,
    clientSecret: localGoogleClient.secret,
    redirectUri: googleCallbackUrl(supabase.url),
  };
  const { access_token } = await consentAtGoogle(client, ["gmail.insert"], { email });
  const raw = Buffer.from(message.replaceAll("\n", "\r\n")).toString("base64url");
  const response = await fetch(`${google.url}/gmail/v1/users/me/messages/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ raw, labelIds: ["INBOX", "UNREAD"] }),
  });
  if (!response.ok) throw new Error(`Gmail answered ${response.status}`);
}
