import { AsyncLocalStorage } from "node:async_hooks";

/** Where the Google fake is: for the browser, and for the auth server itself. */
export interface GoogleAddress {
  browserUrl: string;
  serverUrl: string;
}

const fakePaths: Record<string, string> = {
  "oauth2.googleapis.com/token": "/oauth2/token",
  "www.googleapis.com/oauth2/v3/certs": "/oauth2/v3/certs",
  "www.googleapis.com/userinfo/v2/me": "/oauth2/v2/userinfo",
};

const currentGoogle = new AsyncLocalStorage<GoogleAddress>();
let installed = false;

// Google's addresses are fixed in the code of the auth server, so its requests are sent to the fake here.
function leadFetchToFake(): void {
  if (installed) return;
  installed = true;
  const originalFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const google = currentGoogle.getStore();
    if (!google) return originalFetch(input, init);
    const { host, pathname } = new URL(input instanceof Request ? input.url : input);
    const path = fakePaths[host + pathname];
    return originalFetch(path ? google.serverUrl + path : input, init);
  };
}

/**
 * Runs one request of the auth server so that everything it asks of Google goes to the fake.
 * Other requests of this process are untouched.
 */
export async function withGoogleFake(
  google: GoogleAddress,
  respond: () => Promise<Response>,
): Promise<Response> {
  leadFetchToFake();
  const response = await currentGoogle.run(google, respond);
  const location = response.headers.get("location");
  const realGoogle = "https://accounts.google.com/";
  if (!location?.startsWith(realGoogle)) return response;
  const headers = new Headers(response.headers);
  headers.set("location", `${google.browserUrl}/${location.slice(realGoogle.length)}`);
  return new Response(null, { status: response.status, headers });
}
