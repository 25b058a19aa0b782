import { data } from "react-router";
import { defaultConfiguration, voices } from "~/content/model-configuration";
import { configurationUnreadable } from "~/features/agents/configuration/own-changes.server";
import { SavedForm, UserModels } from "~/features/agents/configuration/own-models";
import { readOlderVersions, readOwn } from "~/features/agents/configuration/own-view.server";
import { Tokens } from "~/features/agents/configuration/tokens";
import { ConsolePage } from "~/features/agents/own-page";
import { userPageForms } from "~/features/agents/own-page.server";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { useNewest } from "~/http/read";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/models";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Models") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "describe" } satisfies ConsoleHandle;

/** With `before`, a version's number, the versions before that one stand in the list. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const before = new URL(request.url).searchParams.get("before") ?? "";
  const workspace = context.get(workspaceContext);
  const continues = /^[1-9]\d{0,8}$/.test(before);
  const [view, older] = workspace
    ? await Promise.all([
        readOwn(session, workspace),
        continues ? readOlderVersions(session, workspace, Number(before)) : undefined,
      ])
    : [];
  const screen = { view, older, voices, defaults: defaultConfiguration };
  return view
    ? data({ ...screen, failure: undefined })
    : data({ ...screen, failure: configurationUnreadable }, { status: 503 });
}

export const action = guarded({
  ...userPageForms,
});

export default function Models({ loaderData, actionData }: Route.ComponentProps) {
  const { older, voices, defaults, failure } = loaderData;
  const configuration = useNewest(loaderData.view);
  const unsaved = actionData?.fields.intent === "save" ? actionData.fields : undefined;
  return (
    <ConsolePage title="Models" posted={actionData}>
      <p className="mt-3 mb-8 max-w-prose text-ink-soft">
        How a voice agent in your rooms thinks, speaks and listens. You decide; the agent reads what
        you decided as one piece of JSON.
      </p>
      {failure ? (
        <Message kind="failure" className="mb-8">
          {failure}
        </Message>
      ) : null}
      {configuration ? (
        <>
          <UserModels view={configuration} older={older} voices={voices} />
          <div className="h-12" />
          <Tokens tokens={configuration.tokens} />
        </>
      ) : unsaved ? (
        <SavedForm
          view={{ configuration: defaults, version: Number(unsaved.version), versions: [] }}
          voices={voices}
          restored={undefined}
        />
      ) : null}
    </ConsolePage>
  );
}
