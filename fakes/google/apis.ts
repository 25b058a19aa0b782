import type { Accounts } from "./account-data.ts";
import { notFound, unauthenticated } from "./api.ts";
import { answerCalendar } from "./calendar.ts";
import { answerDocuments } from "./documents.ts";
import { answerDriveFiles } from "./drive-files.ts";
import { answerFault, type Faults } from "./faults.ts";
import { answerGmail } from "./gmail.ts";
import type { Grants } from "./grants.ts";
import { parsed, type RequestLog } from "./request-log.ts";
import { findService, refusalByScope } from "./scopes.ts";
import { answerTasks } from "./tasks.ts";

/** Answers Gmail, Calendar, Tasks, Docs and Drive, each after Google's published reference. */
export async function answerApis(
  {
    accounts,
    faults,
    grants,
    requests,
  }: {
    accounts: Accounts;
    faults: Faults;
    grants: Grants;
    requests: RequestLog;
  },
  request: Request,
  forwardGmail: (request: Request) => Promise<Response>,
): Promise<Response> {
  const url = new URL(request.url);
  const { method, headers } = request;
  const bytes = new Uint8Array(await request.arrayBuffer());
  requests.add(request, bytes);

  const fault = faults.take(method, url.pathname);
  if (fault && fault.kind !== "lostAnswer") return answerFault(fault);
  const [scheme, token] = (headers.get("authorization") ?? "").split(" ");
  const issued = scheme?.toLowerCase() === "bearer" ? grants.read(token) : undefined;
  if (!issued) return unauthenticated();
  const service = findService(method, url.pathname);
  if (!service) return notFound("The requested URL was not found on this server.");
  const refusal = refusalByScope(method, url, issued.scopes);
  if (refusal) return refusal;

  const answer = await answerService(service);
  return fault ? answerFault(fault) : answer;

  function answerService(name: string): Response | Promise<Response> {
    if (name === "gmail") return answerGmail(request, bytes, forwardGmail);
    const { email } = issued ?? { email: "" };
    const call = {
      method,
      path: url.pathname,
      query: url.searchParams,
      body: parsed(new TextDecoder().decode(bytes)),
      email,
    };
    const data = accounts.of(email);
    if (name === "calendar-json") return answerCalendar(call, data);
    if (name === "tasks") return answerTasks(call, data);
    return name === "docs" ? answerDocuments(call, data) : answerDriveFiles(call, data);
  }
}
