import { isReference } from "~/features/deployments/connection-test/link";
import {
  refusedView,
  resultTooOften,
  takeResult,
  testerView,
} from "~/features/deployments/connection-test/tester.server";
import { TesterPage } from "~/features/deployments/connection-test/tester-page";
import {
  findEmbed,
  type OpenEmbed,
  saveEmbeddedResult,
} from "~/features/deployments/embedded-test/embedded-test.server";
import { appContext, pagePermissions } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { withinLimit } from "~/http/rate-limit.server";
import { drawsShell } from "~/http/route-handle";
import { pageTitle } from "~/seo/page-meta";
import type { Route } from "./+types/embedded-test";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Connection test") },
  { name: "robots", content: "noindex" },
];

/** Nothing leads from here to another page within this document, whose policy allows less than theirs. */
export const handle = drawsShell;

const refusals = {
  unknown: [404, "There is no such test. Look whether the whole address was copied."],
  ended: [410, "This test has ended. Tell whoever runs this page."],
  full: [429, "Five hundred results came today, so this one is shown here alone."],
} as const;

/**
 * Framed in a page of the customer's, by the origins that they named and by no others. It reads no session and sets no
 * cookie; the token stands in the fragment of the frame's address, which browsers send to nobody.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  if (!(await withinLimit(app, "LOOK_LIMIT", request))) return refusedView(refusals, "too-often");
  const found = await findEmbed(app, params.embed);
  if (found.state === "unknown" || found.state === "unavailable") {
    return refusedView(refusals, found.state);
  }
  const framed = { isAlone: true, framedBy: found.origins } as const;
  context.set(pagePermissions, framed);
  if (found.state === "ended") return refusedView(refusals, "ended");
  const view = await testerView(app, found);
  if (!view) return refusedView(refusals, "unavailable");
  if (view.server) context.set(pagePermissions, { ...framed, host: view.server.domain });
  return view;
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  if (!(await withinLimit(app, "LOOK_LIMIT", request))) return resultTooOften();
  const form = await readForm(request);
  const typed = form.get("reference") ?? "";
  const reference = isReference(typed) ? typed : undefined;
  return takeResult<OpenEmbed>(
    app,
    form,
    refusals,
    () => findEmbed(app, params.embed),
    (found, stored) => saveEmbeddedResult(app, params.embed, found, stored, reference),
  );
}

/** What a test found stays on the screen, whatever became of it meanwhile. */
export const shouldRevalidate = () => false;

export default function EmbeddedTestPage({ loaderData }: Route.ComponentProps) {
  return <TesterPage view={loaderData} isFramed />;
}
