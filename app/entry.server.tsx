import { prerender } from "react-dom/static.edge";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { describeError, log } from "~/platform/log/log.server";
import { rememberSiteUrl } from "~/seo/page-meta";
import { RenderContext } from "~/ui/chrome/first-paint";
import { RequestIdContext } from "~/ui/primitives/request-id";
import { renderedText } from "~/ui/reading/pages.server";
import { TextContext } from "~/ui/reading/prose";

/**
 * Renders a page whole: the Worker reads it to make its CSP hashes and its cache entry, so nothing
 * would be won by streaming. React's entry for whole pages also brings one renderer, that for streams two.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { nonce, requestId, configuration, publicPages } = context.get(appContext);
  rememberSiteUrl(configuration.SITE_URL);
  let finalStatus = status;
  const { prelude } = await prerender(
    <RenderContext
      value={{ nonce, publicPages: isReading(routerContext) ? publicPages : undefined }}
    >
      <RequestIdContext value={requestId}>
        <TextContext value={context.get(renderedText)}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </TextContext>
      </RequestIdContext>
    </RenderContext>,
    {
      signal: request.signal,
      // However large a part of the page is, it stands in its place: no script of React's has to move it.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        finalStatus = 500;
        log.error("A page failed to render", describeError(error));
      },
    },
  );
  // React resolves with what it has when nobody waits any more. Half a page must not be kept.
  request.signal.throwIfAborted();
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(prelude, { status: finalStatus, headers });
}

/**
 * Whether the page's route says that it only reads. Development sends React with every page, which shows at once what
 * is saved.
 */
function isReading({ staticHandlerContext: { matches, loaderData } }: EntryContext): boolean {
  return (
    import.meta.env.PROD &&
    matches.some(({ route }) => {
      const handle: RouteHandle | undefined = route.handle;
      const reads = handle?.isReading;
      return typeof reads === "function" ? reads(loaderData[route.id]) : reads;
    })
  );
}

/** Only the unexpected ends here: expected failures are answers with a status and a sentence. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  log.error("A request failed", describeError(error));
}
