/**
 * Supabase Auth mails a confirmation again when a minute has passed; the embedded server always says
 * that it is too early. Its sign-in mail, whose link confirms just as well, goes out instead.
 * Answers undefined when the request is not of that kind.
 */
export async function resendConfirmation(
  request: Request,
  handle: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/auth/v1/resend") return;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null || !("type" in body && "email" in body)) return;
  const answer = await handle(request);
  if (body.type !== "signup" || answer.status !== 429) return answer;
  return handle(
    new Request(new URL("/auth/v1/otp", request.url), {
      method: "POST",
      headers: request.headers,
      body: JSON.stringify({ email: body.email, create_user: false }),
    }),
  );
}
