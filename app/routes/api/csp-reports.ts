import { apiError, methodNotAllowed } from "~/http/answers";
import { appContext } from "~/http/app-context";
import { readBody } from "~/http/body.server";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import { noteViolations, violationsIn } from "~/platform/log/policy-reports.server";
import type { Route } from "./+types/csp-reports";

const largestReport = 16 * 1024;

export function loader() {
  return methodNotAllowed("POST");
}

/** Where browsers report that a page broke its content policy. Nothing is kept, no cookie is read. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  if (request.method !== "POST") return methodNotAllowed("POST");
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(csp-report|reports\+json)\b/i.test(type)) {
    return apiError(415, "Send application/csp-report or application/reports+json.");
  }
  if (!(await withinLimit(app, "REPORT_LIMIT", request))) return apiError(429, tooOften);
  const body = await readBody(request, largestReport);
  if (body === undefined) return apiError(413, "The report is too large.");
  const violations = violationsIn(type, body);
  if (!violations) return apiError(400, "This is no report.");
  noteViolations(violations);
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}
