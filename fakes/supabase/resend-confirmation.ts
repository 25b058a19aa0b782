/**
 * Supabase Auth mails a confirmation again when a minute has passed, and on a second sign-up with an
 * address that is not confirmed, whose password it keeps; the embedded server always says that it is
 * too early. Its sign-in mail, whose link confirms just as well, goes out instead.
 * Answers undefined when the request is not of that kind.
 */
export async function resendConfirmation(
  request: Request,
  handle: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  const act = /^\/auth\/v1\/(resend|signup)$/.exec(new URL(request.url).pathname)?.[1];
  if (request.method !== "POST" || !act) return;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null || !("email" in body)) return;
  const answer = await handle(request);
  const asksForConfirmation = act === "signup" || ("type" in body && body.type === "signup");
  if (!asksForConfirmation || answer.status !== 429) return answer;
  return handle(
    new Request(new URL("/auth/v1/otp", request.url), {
      method: "POST",
      headers: request.headers,
      body: JSON.stringify({ email: body.email, create_user: false }),
    }),
  );
}
