import type { ReceivedRequest } from "../../../fakes/google/request-log.ts";

const api = "https://www.googleapis.com/auth/";

/** The address of the account that tests use at the Google fake. */
export const googleEmail = "customer.one@example.com";

/** A client as the Google fake knows it. */
export interface GoogleClient {
  /** The fake's address. */
  url: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** Uses a control of the Google fake. */
export async function googleControl(url: string, path: string, body: object = {}): Promise<void> {
  const response = await fetch(`${url}/_local/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

/** What the Google fake was asked, oldest first. */
export async function googleRequests(url: string): Promise<ReceivedRequest[]> {
  const response = await fetch(`${url}/_local/requests`);
  return (await response.json()) as ReceivedRequest[];
}

/** Consents to scopes, by their short names, and answers what Google's token endpoint answers. */
export async function consentAtGoogle(
  client: GoogleClient,
  scopes: readonly string[],
  options: { email?: string; includeGranted?: boolean } = {},
): Promise<{ access_token: string; scope: string; expires_in: number }> {
  const { email = googleEmail, includeGranted = true } = options;
  const consent = await fetch(`${client.url}/o/oauth2/v2/auth/callback`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({
      email,
      scope: ["openid", "email", ...scopes.map((scope) => api + scope)].join(" "),
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      include_granted_scopes: String(includeGranted),
    }),
  });
  const back = new URL(consent.headers.get("location") ?? "");
  const exchange = await fetch(`${client.url}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: client.redirectUri,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }),
  });
  return (await exchange.json()) as { access_token: string; scope: string; expires_in: number };
}
