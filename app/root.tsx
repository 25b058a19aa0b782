import hostGrotesk from "@fontsource-variable/host-grotesk/files/host-grotesk-latin-wght-normal.woff2?url";
import { type ReactNode, use, useLayoutEffect } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
} from "react-router";
import { drawsShell, type RefreshingData } from "~/http/route-handle";
import { pageTitle } from "~/seo/page-meta";
import type { Route } from "./+types/root";
import stylesheet from "./app.css?url";
import { guardActions } from "./routes/guard-actions.server";
import { FirstPaint, RenderContext } from "./ui/chrome/first-paint";
import { Footer } from "./ui/chrome/footer";
import { Header } from "./ui/chrome/header";
import { showDocumentState, themeColors } from "./ui/chrome/theme";
import "./ui/chrome/header.client";
import "./ui/chrome/step-after-deploy.client";
import { LinkButton } from "./ui/primitives/button";
import { RequestId } from "./ui/primitives/request-id";
import { ReadingScripts } from "./ui/reading/reading-scripts";
import "./ui/reading/trusted-types";

export const links: Route.LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "preload", href: hostGrotesk, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

/** Every post of the site passes the guard. */
export const middleware: Route.MiddlewareFunction[] = guardActions;

export function Layout({ children }: { children: ReactNode }) {
  // Never set in a browser: where React runs already it shows a page that only reads too, and stays.
  const publicPages = import.meta.env.SSR ? use(RenderContext)?.publicPages : undefined;
  // Where the page differs from what we sent, as by an extension's node, React renders all of it anew, without the classes.
  useLayoutEffect(showDocumentState, []);
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          name="theme-color"
          content={themeColors.light}
          media="(prefers-color-scheme: light)"
        />
        <meta name="theme-color" content={themeColors.dark} media="(prefers-color-scheme: dark)" />
        <FirstPaint />
        <RefreshWithoutScript />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {publicPages ? (
          <ReadingScripts publicPages={publicPages} />
        ) : (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

/** In the head, where alone HTML allows it. See `RefreshingData`. */
function RefreshWithoutScript() {
  const answers = useMatches().map(({ loaderData }) => loaderData as RefreshingData | undefined);
  const [refresh] = answers.flatMap((answer) => answer?.refreshWithoutScript ?? []);
  return refresh ? (
    <noscript>
      <meta httpEquiv="refresh" content={refresh} />
    </noscript>
  ) : null;
}

export default function App() {
  const hasOwnShell = useMatches().some(({ handle }) => handle === drawsShell);
  return hasOwnShell ? (
    <Outlet />
  ) : (
    <Chrome>
      <Outlet />
    </Chrome>
  );
}

const missing = "There is no page at this address";
const unexpected = "Unexpected Application Error!";

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { status, data } = isRouteErrorResponse(error) ? error : { status: 500, data: undefined };
  const isMissing = status === 404;
  return (
    <Chrome>
      <title>{pageTitle(isMissing ? `${status}: ${missing}` : status)}</title>
      <div className="page py-20">
        <p className="font-mono text-signal">{status}</p>
        <h1 className="mt-2 text-2xl">{isMissing ? missing : unexpected}</h1>
        {isMissing ? <p className="mt-4 font-mono text-sm text-ink-soft">{unexpected}</p> : null}
        <p className="mt-4 max-w-prose text-ink-soft">
          {status === 503 && typeof data === "string"
            ? data
            : isMissing
              ? "It may have moved, or the link was cut short."
              : status < 500
                ? "This address does not take what was sent. Nothing was changed. Open the page again and retry."
                : "Something went wrong on our side. Please try again in a moment."}
        </p>
        {isMissing ? null : <RequestId />}
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton to="/">Back to home</LinkButton>
          <LinkButton to="/docs" variant="secondary">
            View Documentation
          </LinkButton>
        </div>
      </div>
    </Chrome>
  );
}

function Chrome({ children }: { children: ReactNode }) {
  return (
    <>
      <Header />
      <main id="content" tabIndex={-1} className="min-h-[70vh] pt-16 outline-none">
        {children}
      </main>
      <Footer />
    </>
  );
}
