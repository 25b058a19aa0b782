import { redirect } from "react-router";
import { fill } from "~/features/workspace-pages/fill";
import { workspaceWords } from "~/features/workspace-pages/workspace-words.server";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { nextPath } from "~/http/next-path";
import { pageTitle } from "~/seo/page-meta";
import { LinkButton } from "~/ui/primitives/button";
import type { Route } from "./+types/second-factor";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Second factor") },
  { name: "robots", content: "noindex" },
];

/** For a member to whom the workspace is closed; others are led on. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { name, base, isClosed } = openWorkspace(context);
  const next = nextPath(new URL(request.url).searchParams.get("next"), base);
  if (!isClosed) throw redirect(next, 303);
  const { title, ...labels } = (await workspaceWords(context.get(appContext))).closed;
  return { labels: { ...labels, title: fill(title, { workspace: name }) }, next };
}

export default function SecondFactor({ loaderData: { labels, next } }: Route.ComponentProps) {
  return (
    <div className="max-w-prose pt-8">
      <h1 className="text-2xl wrap-anywhere">{labels.title}</h1>
      <p className="mt-4 text-lg">{labels.says}</p>
      <p className="mt-3 text-ink-soft">{labels.how}</p>
      <LinkButton
        to={`/dashboard/account?${new URLSearchParams({ next })}#second-factor`}
        className="mt-8"
      >
        {labels.button}
      </LinkButton>
    </div>
  );
}
