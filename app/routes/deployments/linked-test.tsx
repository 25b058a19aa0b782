import { findTestLink } from "~/features/deployments/connection-test/linked-test.server";
import { saveLinkedResult } from "~/features/deployments/connection-test/results.server";
import {
  refusedView,
  resultTooOften,
  takeResult,
  testerView,
} from "~/features/deployments/connection-test/tester.server";
import { TesterPage } from "~/features/deployments/connection-test/tester-page";
import { appContext, pagePermissions } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { withinLimit } from "~/http/rate-limit.server";
import { drawsShell } from "~/http/route-handle";
import { pageTitle } from "~/seo/page-meta";
import type { Route } from "./+types/linked-test";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Connection test") },
  { name: "robots", content: "noindex" },
];

/** Nothing leads from here to another page within this document, whose policy allows less than theirs. */
export const handle = drawsShell;

const refusals = {
  unknown: [404, "There is no such test. Look whether the whole link was copied."],
  ended: [410, "This link has ended. Ask whoever gave it to you for a new one."],
  full: [410, "This link was used up: fifty results came by it. Ask for a new one."],
} as const;

/**
 * Whoever has the link may test, without an account. The token of the test stands in the fragment of the address, which
 * browsers send to nobody. The page's headers let scripts connect to the one server of the link's deployment, where its
 * name leads to the public internet.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  if (!(await withinLimit(app, "LOOK_LIMIT", request))) return refusedView(refusals, "too-often");
  const found = await findTestLink(app, params.link);
  if (found.state !== "open") return refusedView(refusals, found.state);
  const view = await testerView(app, found);
  if (!view) return refusedView(refusals, "unavailable");
  if (view.server) context.set(pagePermissions, { host: view.server.domain, isAlone: true });
  return view;
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  if (!(await withinLimit(app, "LOOK_LIMIT", request))) return resultTooOften();
  return takeResult(
    app,
    await readForm(request),
    refusals,
    () => findTestLink(app, params.link),
    (_, stored) => saveLinkedResult(app, params.link, stored),
  );
}

/** What a test found stays on the screen, whatever became of the link meanwhile. */
export const shouldRevalidate = () => false;

export default function LinkedTestPage({ loaderData }: Route.ComponentProps) {
  return <TesterPage view={loaderData} />;
}
