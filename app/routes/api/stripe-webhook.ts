import { handleWebhook } from "~/features/billing/subscriptions/webhook.server";
import { methodNotAllowed } from "~/http/answers";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/stripe-webhook";

export function loader() {
  return methodNotAllowed("POST");
}

export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== "POST") return methodNotAllowed("POST");
  return handleWebhook(request, context.get(appContext));
}
