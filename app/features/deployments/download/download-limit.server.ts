import type { Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { withinLimit } from "~/http/limits/rate-limit.server";

/** A download that is one too many in a minute, by its person or by where it is asked from. */
export async function refuseManyDownloads(
  context: AppContext,
  session: Session,
  request: Request,
): Promise<Response | undefined> {
  const visitor = await session.visitor();
  const person = visitor.state === "signed-in" ? [`user:${visitor.userId}`] : [];
  if (await withinLimit(context, "DOWNLOAD_LIMIT", request, ...person)) return;
  return new Response("Too many downloads in a minute. Please wait a minute and try again.\n", {
    status: 429,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "private, no-store" },
  });
}
