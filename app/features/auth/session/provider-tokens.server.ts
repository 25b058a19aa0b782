const providersTokens = ["provider_token", "provider_refresh_token"];

/**
 * `fetch` for a visitor's client that keeps a provider's tokens from it: it would write them into the
 * session's cookies, where nothing needs them.
 */
export function withoutProviderTokens(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    const isSignIn = url.searchParams.get("grant_type") === "pkce";
    if (!isSignIn || !response.ok) return response;
    const answer: Record<string, unknown> = await response.json();
    const kept = Object.entries(answer).filter(([name]) => !providersTokens.includes(name));
    return Response.json(Object.fromEntries(kept), { status: response.status });
  };
}
