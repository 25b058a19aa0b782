import { isRouteErrorResponse, useLocation } from "react-router";
import { consoleErrorWords as words } from "~/content/console";
import { LinkButton } from "~/ui/primitives/button";
import { RequestId } from "~/ui/primitives/request-id";
import { noWorkspace } from "./console-path";

/** What happened to a page of the console, what is safe, and what can be done: a retry is offered where it can succeed. */
export function ConsoleError({ error, base }: { error: unknown; base: string }) {
  const { pathname, search } = useLocation();
  const deployments = `${base}/deployments`;
  const { status, data } = isRouteErrorResponse(error) ? error : { status: 500, data: undefined };
  const kind = data === noWorkspace ? "gone" : kindOf(status);
  const { title, says, kept: advice } = words[kind];
  const isThere = status !== 404;
  return (
    <div className="max-w-prose pt-8">
      <p className="font-mono text-signal">{status}</p>
      <h1 className="mt-2 text-2xl">{status === 500 ? words.unexpected : title}</h1>
      <div role="alert">
        <p className="mt-4">{typeof data === "string" && data && isThere ? data : says}</p>
        <p className="mt-2 text-ink-soft">{advice}</p>
      </div>
      {isThere ? <RequestId /> : null}
      <div className="mt-8 flex flex-wrap gap-3">
        {kind === "failed" ? (
          <LinkButton to={pathname + search} reloadDocument>
            {words.again}
          </LinkButton>
        ) : kind === "gone" ? (
          <LinkButton to={base}>{words.workspaces}</LinkButton>
        ) : pathname.startsWith(deployments) ? (
          <LinkButton to={deployments}>{words.deployments}</LinkButton>
        ) : (
          <LinkButton to={base}>{words.overview}</LinkButton>
        )}
        <LinkButton to={`${base}/support`} variant="secondary">
          {words.support}
        </LinkButton>
      </div>
    </div>
  );
}

function kindOf(status: number): "missing" | "refused" | "failed" {
  if (status === 404) return "missing";
  return status >= 500 || status === 408 || status === 429 ? "failed" : "refused";
}
