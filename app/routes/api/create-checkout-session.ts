import * as z from "zod/mini";
import { askerOf } from "~/access/asker.server";
import { codePage } from "~/access/ways-on";
import { startCheckout } from "~/billing/checkout.server";
import { apiError, methodNotAllowed } from "~/request/api-answers";
import { readBody } from "~/request/body.server";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/create-checkout-session";

const order = z.object({ priceId: z.string(), userId: z.string() });
const largestOrder = 4 * 1024;

export function loader() {
  return methodNotAllowed("POST");
}

/**
 * `{priceId, userId}` → `{id, url}` of a hosted Checkout Session, or `{error}`. With a second factor
 * due the error comes with the `url` of the page that asks for it.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const asked = context.get(requestContext);
  if (request.method !== "POST") return methodNotAllowed("POST");
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    return apiError(415, "Send application/json.");
  }
  const body = await readBody(request, largestOrder);
  if (body === undefined) return apiError(413, "The request is too large.");
  const parsed = order.safeParse(parseJson(body));
  if (!parsed.success) return apiError(400, "Send JSON with priceId and userId.");

  const writer = askerOf(context);
  if (!writer.ok && writer.why === "second-factor") {
    const answer = { error: writer.message, url: codePage("/signup") };
    return Response.json(answer, { status: 403, headers: { "cache-control": "no-store" } });
  }
  if (!writer.ok) return apiError(writer.status, writer.message);
  if (parsed.data.userId !== writer.user.id) {
    return apiError(403, "You can only buy for yourself. Sign in again and retry.");
  }
  const buyer = { kind: "account", holder: writer.user } as const;
  const start = await startCheckout(asked, buyer, parsed.data.priceId);
  return start.ok
    ? Response.json({ id: start.id, url: start.url })
    : apiError(start.status, start.message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
