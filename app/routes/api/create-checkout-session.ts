import * as z from "zod/mini";
import { guarded } from "~/features/auth/guard.server";
import { startCheckout } from "~/features/billing/checkout/checkout.server";
import { firstWorkspace } from "~/features/workspaces/workspace.server";
import { apiError, methodNotAllowed } from "~/http/answers";
import { appContext } from "~/http/app-context";
import { readBody } from "~/http/body.server";
import { codePage } from "~/http/page-addresses";
import type { Route } from "./+types/create-checkout-session";

const orderShape = z.object({ priceId: z.string(), userId: z.string() });
const largestOrder = 4 * 1024;

export function loader() {
  return methodNotAllowed("POST");
}

/**
 * `{priceId, userId}` → `{id, url}` of a hosted Checkout Session, or `{error}`. The error has a `code` where a checkout
 * was tried and not started, and the `url` of the page that asks for the second factor where that is due. What is no
 * order is answered first, signed in or not.
 */
export const action = guarded({
  async refused({ why, status, message }, { request }: Route.ActionArgs) {
    const order = await readOrder(request);
    if (order instanceof Response) return order;
    if (why !== "second-factor") return apiError(status, message);
    return apiError(status, message, { url: codePage("/signup") });
  },
  async allowed({ request, context }: Route.ActionArgs, { user }) {
    const order = await readOrder(request);
    if (order instanceof Response) return order;
    if (order.userId !== user.id) {
      return apiError(403, "You can only buy for yourself. Sign in again and retry.");
    }
    const holder = { person: user, workspace: await firstWorkspace(context) };
    const buyer = { kind: "account", holder } as const;
    const start = await startCheckout(context.get(appContext), buyer, order.priceId);
    if (start.ok) return Response.json({ id: start.id, url: start.url });
    return apiError(start.status, start.message, { code: start.code });
  },
});

/** The order in a request, or what is wrong with the request. */
async function readOrder(request: Request): Promise<z.output<typeof orderShape> | Response> {
  if (request.method !== "POST") return methodNotAllowed("POST");
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    return apiError(415, "Send application/json.");
  }
  const body = await readBody(request, largestOrder);
  if (body === undefined) return apiError(413, "The request is too large.");
  const parsed = orderShape.safeParse(parseJson(body));
  return parsed.success ? parsed.data : apiError(400, "Send JSON with priceId and userId.");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
