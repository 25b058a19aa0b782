import { callerOf, notServed, unknownToken } from "~/features/agents/api/caller.server";
import { problem, problemOfMethod } from "~/features/agents/api/problem";
import { recordUsage } from "~/features/agents/usage/record-usage.server";
import { largestReport, reportsIn } from "~/features/agents/usage/reports.server";
import { appContext } from "~/http/app-context";
import { readBody } from "~/http/body.server";
import type { Route } from "./+types/token-usage";

export function loader() {
  return problemOfMethod("POST");
}

/** Takes one report of usage or up to 1,000, and answers what became of them. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  if (request.method !== "POST") return problemOfMethod("POST");
  const caller = await callerOf(request, app, "usage");
  if (!caller.ok) return caller.refusal;
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    return problem(415, "Send application/json.");
  }
  const body = await readBody(request, largestReport);
  if (body === undefined) return problem(413, "A body has 1 MiB at most.");
  const reports = reportsIn(body, new Date());
  if (!reports.ok) return problem(reports.status, reports.detail, reports);
  const outcome = await recordUsage(app, caller, reports);
  if (outcome.state === "unknown") return unknownToken(caller);
  if (outcome.state === "unavailable") return notServed(outcome.error);
  if (outcome.state === "refused") return outcome.refusal;
  return Response.json(outcome.answer, { headers: { "cache-control": "no-store" } });
}
