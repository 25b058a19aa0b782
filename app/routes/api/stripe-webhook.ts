import { handleWebhook } from "~/billing/webhook.server";
import { methodNotAllowed } from "~/request/api-answers";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/stripe-webhook";

export function loader() {
  return methodNotAllowed("POST");
}

export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== "POST") return methodNotAllowed("POST");
  return handleWebhook(request, context.get(requestContext));
}
