/**
 * An answer of the auth server to a challenge by text message. If the provider of texts does not take the message, the
 * server answers 500 without a code of its own (supabase/auth v2.196.0, `challengePhoneFactor`), as if it were down. It
 * is then made the refusal that the server has for its other texts.
 */
export async function asUnsentText(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  await response.body?.cancel();
  const code = "sms_send_failed";
  const refusal = { code: 422, error_code: code, msg: "Error sending message" };
  return Response.json(refusal, { status: 422, headers: { "x-sb-error-code": code } });
}

/** Whether a path of the auth server asks for a challenge of a second factor. */
export function isChallenge(pathname: string): boolean {
  return /\/auth\/v1\/factors\/[^/]+\/challenge$/.test(pathname);
}
