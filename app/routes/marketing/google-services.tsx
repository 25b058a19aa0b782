import { lazy, type ReactNode } from "react";
import { Link, type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import type { GoogleTool } from "~/content/google-tools";
import { addressOf, toolAt } from "~/features/google/dialog/tool-address";
import { toolTexts } from "~/features/google/dialog/tool-texts.server";
import {
  type OperationCall,
  requestWithDraft,
} from "~/features/google/results/request-operation.client";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { readingMeta } from "~/seo/reading-meta";
import { ArrowIcon } from "~/ui/primitives/icons";
import { LineDrawing } from "~/ui/primitives/line-drawing";
import { PageIntro } from "~/ui/primitives/page-intro";
import { openedHere } from "~/ui/primitives/use-close";
import { loadPage } from "~/ui/reading/pages.server";
import { Prose } from "~/ui/reading/prose";
import type { Route } from "./+types/google-services";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  readingMeta(loaderData?.page, "/google-services");

export const handle = { isPublic: true } satisfies RouteHandle;

/** Every word of the page is in its document already: the script does not bring it again. */
export async function loader(args: Route.LoaderArgs) {
  const [tools, page] = await Promise.all([
    toolTexts(args.context.get(appContext)),
    loadPage("samples/google-services", args),
  ]);
  return { tools, page };
}

/**
 * Calls an operation of an open tool. It belongs to the page and not to the operation's own route, whose script
 * would come with the first call: after a deploy it is gone, and the router would load the whole page again. The
 * build puts this function into a file of its own, but the router fetches that file together with the page's.
 */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const call: OperationCall = await request.json();
  return requestWithDraft(call);
}

/** Opening a dialog or a tab changes the address, not the words. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

const loadDialog = () => import("~/features/google/dialog/tool-dialog");
const ToolDialog = lazy(loadDialog);

/** The dialog's script comes when somebody is about to open one; if it fails now, it may not then. */
const prepareDialog = () => void loadDialog().catch(() => undefined);

export default function GoogleServices({ loaderData: { tools, page } }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  const open = toolAt(tools, parameters);

  return (
    <>
      <div className="page pb-20">
        <PageIntro title="Google Services">
          <p>
            What surrounds a call on your server: somebody is invited, it takes a place in a
            calendar, and afterwards there is something to write down and to do. These tools do that
            with the Google account that you have. Your server runs without them.
          </p>
        </PageIntro>
        <ul
          className="grid gap-x-12 border-b border-line lg:grid-cols-2"
          onPointerEnter={prepareDialog}
          onFocus={prepareDialog}
        >
          {tools.map((tool) => (
            <ToolCard key={tool.id} tool={tool} />
          ))}
        </ul>
      </div>
      <section aria-labelledby="example-usage" className="border-t border-line bg-well">
        <div className="page grid gap-10 py-20 lg:grid-cols-[1fr_2.4fr]">
          <div>
            <h2 id="example-usage" className="text-2xl lg:sticky lg:top-24">
              Example Usage
            </h2>
          </div>
          <div className="min-w-0">
            <Prose html={page.html} />
          </div>
        </div>
      </section>
      {open ? <ToolDialog key={open.tool.id} {...open} /> : null}
    </>
  );
}

function ToolCard({ tool }: { tool: GoogleTool }) {
  const heading = `tool-${tool.id}`;
  return (
    <li
      aria-labelledby={heading}
      className="relative flex flex-col border-t border-line py-10 transition-colors hover:border-ink"
    >
      <ToolIcon tool={tool.id} />
      <h2 id={heading} className="mt-4 text-xl">
        <Link
          to={addressOf({ tool, tab: tool.tabs[0] })}
          state={openedHere}
          preventScrollReset
          className="after:absolute after:inset-0 hover:underline"
        >
          {tool.name}
        </Link>
      </h2>
      <p className="mt-2 text-ink-soft">{tool.description}</p>
      <ul
        aria-label={`What ${tool.name} does`}
        className="relative mt-6 border-t border-line-strong"
      >
        {tool.tabs.map((tab) => (
          <li key={tab.id} className="border-b border-line">
            <Link
              to={addressOf({ tool, tab })}
              state={openedHere}
              preventScrollReset
              className="group grid min-h-11 grid-cols-[1fr_auto] items-center gap-x-4 py-2 sm:grid-cols-[10rem_1fr_auto]"
            >
              <span className="group-hover:underline">{tab.label}</span>
              <span className="row-start-2 min-w-0 font-mono text-sm text-ink-soft sm:col-start-2 sm:row-start-1">
                {tab.call.name}
              </span>
              <ArrowIcon width="16" height="16" className="text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
      <dl className="mt-4 flex grow flex-wrap gap-x-4 text-sm">
        <dt className="text-ink-soft">Asks Google for</dt>
        {tool.scopes.map((scope) => (
          <dd key={scope} className="font-mono">
            {scope}
          </dd>
        ))}
      </dl>
    </li>
  );
}

const drawings: Record<string, ReactNode> = {
  gmail: (
    <>
      <rect x="3.5" y="7" width="25" height="18" rx="2" />
      <path d="M4.5 9L16 18 27.5 9" />
    </>
  ),
  calendar: (
    <>
      <rect x="4.5" y="6" width="23" height="21" rx="2" />
      <path d="M4.5 12.5h23M11 3.5V8M21 3.5V8" />
      <path d="M10 17.5h4M18 17.5h4M10 22h4" />
    </>
  ),
  tasks: (
    <>
      <circle cx="8" cy="9" r="3.5" />
      <path d="M16 9h11.5M16 22.5h11.5" />
      <path d="M4 22.5l3 3 5-6" />
    </>
  ),
  docs: (
    <>
      <path d="M19 3.5H9a2 2 0 0 0-2 2v21a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-17z" />
      <path d="M19 3.5v6h6M11.5 15h9M11.5 19h9M11.5 23h5" />
    </>
  ),
};

/** What each tool works with. */
function ToolIcon({ tool }: { tool: string }) {
  return <LineDrawing>{drawings[tool]}</LineDrawing>;
}
