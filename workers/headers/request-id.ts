import { describeError, log, withRequestId } from "~/platform/log/log.server";
import { safetyHeaders } from "./security-headers";

const plainId = /^[\w-]{8,64}$/;

/** Cloudflare's own id of the request, which its dashboard knows, or where there is none a new one. */
function idOf(request: Request): string {
  const ray = request.headers.get("cf-ray");
  return ray && plainId.test(ray) ? ray : crypto.randomUUID();
}

/**
 * Answers a request under one id: each line that `answer` logs has it, and the response has it in `X-Request-Id`.
 * What `answer` throws is logged and answered here, because Cloudflare's own error page would not show our id.
 */
export function underRequestId(
  request: Request,
  answer: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const requestId = idOf(request);
  return withRequestId(requestId, async () => {
    const response = await answer(requestId).catch((error: unknown) => {
      log.error("The Worker failed", describeError(error));
      return failed(requestId);
    });
    // Set here and not on the cached page, because each answer has its own id.
    response.headers.set("x-request-id", requestId);
    return response;
  });
}

/** The answer when not even an error page could be made. */
export function failed(requestId: string): Response {
  return new Response(
    "Something went wrong on our side. Please try again in a moment.\n" +
      `Quote this id when you write to us: ${requestId}\n`,
    {
      status: 500,
      headers: {
        ...safetyHeaders,
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      },
    },
  );
}
