/**
 * Supabase Auth takes `type: "email"` for sign-up and for magic links alike; the embedded server
 * wants to know which of the two it is. Answers undefined when the request is not of that kind.
 */
export async function verifyEmailOtp(
  request: Request,
  handle: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/auth/v1/verify") return;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null || !("type" in body) || body.type !== "email") {
    return;
  }
  const verifyAs = (type: "signup" | "magiclink") =>
    handle(
      new Request(request.url, {
        method: "POST",
        headers: request.headers,
        body: JSON.stringify({ ...body, type }),
      }),
    );
  const asSignUp = await verifyAs("signup");
  return asSignUp.ok ? asSignUp : verifyAs("magiclink");
}
