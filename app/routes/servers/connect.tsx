import { useRef } from "react";
import { data } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { More } from "~/features/deployments/page/more";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import { answerConnectForm } from "~/features/servers/connect/connect-form.server";
import {
  ConnectedServers,
  ConnectForm,
  ConnectSteps,
  Removal,
  RevokeTokens,
} from "~/features/servers/connect/connect-sections";
import {
  connectedServers,
  readConnectScript,
} from "~/features/servers/connect/connected-view.server";
import { serverQuotaOf } from "~/features/servers/connect/server-quota";
import { LiveLine } from "~/features/servers/live/live-line";
import { liveWith } from "~/features/servers/live/live-page.server";
import { keepStaleData, type Unread } from "~/features/servers/live/stale-data";
import { useLive } from "~/features/servers/live/use-live";
import { readWorkspaceFleet } from "~/features/servers/pages/workspace-fleet.server";
import { useMay } from "~/features/workspaces/roles";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { Section } from "~/ui/console/section";
import { useFocusAfterPost } from "~/ui/console/use-focus-after-post";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/connect";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Connect a server that runs") },
  { name: "robots", content: "noindex" },
];

export const handle = {
  right: "servers",
  isRead: true,
  breadcrumbs: ({ base }) => [
    { to: base, label: "Overview" },
    { to: `${base}/servers/connect`, label: "Connect a server that runs" },
  ],
} satisfies ConsoleHandle;

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepStaleData];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { supabase } = context.get(sessionContext);
  const [fleet, script, entitlement] = await Promise.all([
    readWorkspaceFleet(context),
    readConnectScript(app),
    entitlementOfVisitor(supabase, app, openWorkspace(context)),
  ]);
  const plan = entitlement?.kind === "entitled" ? entitlement.plan : undefined;
  return {
    script,
    servers: fleet && connectedServers(fleet.servers),
    tokens: fleet?.tokens?.find(({ deployment }) => deployment === undefined),
    quota: fleet && entitlement ? serverQuotaOf(plan, fleet.servers) : undefined,
    live: liveWith(app, fleet?.ticket),
    ...({ isUnread: fleet === undefined } satisfies Unread),
    readAt: fleet ? new Date(fleet.readAt).toISOString() : undefined,
  };
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const typed = (await readForm(request)).get("name") ?? "";
    return data({ typed, message }, { status });
  },
  async allowed({ context, request }: Route.ActionArgs, principal) {
    return answerConnectForm({
      context: context.get(appContext),
      session: context.get(sessionContext),
      workspace: openWorkspace(context),
      ...{ principal, form: await readForm(request) },
    });
  },
});

export default function ConnectServer({ loaderData, actionData }: Route.ComponentProps) {
  const { script, servers, tokens, quota, readAt } = loaderData;
  const mayConnect = useMay("servers");
  const live = useLive(loaderData.live, "all");
  const page = useRef<HTMLDivElement>(null);
  useFocusAfterPost(page);
  const made = actionData && "made" in actionData ? actionData.made : undefined;
  return (
    <div ref={page} className="pt-8">
      <h1 className="text-2xl">Connect a server that runs</h1>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">
        You have a LiveKit already, however it was made: see it here, and be told when it fails.
        Nothing of it is changed, and one command takes everything away again.{" "}
        <TextLink to="/docs/connect-existing">How it works</TextLink>
      </p>
      {servers === null ? (
        <Message kind="warning" className="mt-6">
          No machine can be connected to this console.
        </Message>
      ) : script === undefined ? (
        <Message kind="warning" className="mt-6">
          The script cannot be read right now. Please try again in a moment.
        </Message>
      ) : (
        <>
          {actionData && "message" in actionData && actionData.message ? (
            <Message kind="failure" className="mt-6">
              {actionData.message}
            </Message>
          ) : actionData && "areTokensRevoked" in actionData ? (
            <p role="status" data-outcome tabIndex={-1} className="mt-6">
              All tokens of this page are revoked. Connected servers report on.
            </p>
          ) : null}
          {made ? (
            <ConnectSteps made={made} script={script} />
          ) : mayConnect ? (
            <ConnectForm
              quota={quota}
              typed={actionData && "typed" in actionData ? actionData.typed : undefined}
              error={actionData && "error" in actionData ? actionData.error : undefined}
            />
          ) : null}
          <div className="mt-10">
            <Section
              id="servers"
              title="Connected this way"
              detail="Servers that were connected as they were. Each appears here when its machine introduces itself."
            >
              {readAt ? <LiveLine live={live} readAt={readAt} /> : null}
              <ConnectedServers servers={servers} />
              {mayConnect && tokens ? <RevokeTokens {...tokens} /> : null}
            </Section>
            <Section
              id="script"
              title="The script"
              detail="What runs as root on your machine, in whole. It is sh and python3, and the same for everybody."
            >
              <SourceText of="script" text={script.text} sha256={script.sha256} />
            </Section>
            {script.manifest ? (
              <Section
                id="manifest"
                title="The manifest"
                detail="For a LiveKit in Kubernetes, in whole: a namespace, a script in Python, and one pod that runs it."
              >
                <SourceText of="manifest" {...script.manifest} />
              </Section>
            ) : null}
            <Section id="remove" title="Taking it away">
              <Removal />
            </Section>
          </div>
        </>
      )}
    </div>
  );
}

function SourceText({ of, text, sha256 }: { of: string; text: string; sha256: string }) {
  return (
    <More summary={`Read the ${of} (${Math.ceil(text.length / 1_000)} kB)`}>
      <p className="text-sm wrap-anywhere">
        <span>SHA-256: </span>
        <code className="font-mono">{sha256}</code>
      </p>
      <pre className="mt-3 pb-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere">{text}</pre>
    </More>
  );
}
