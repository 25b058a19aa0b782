import { data } from "react-router";
import { trialConnections } from "~/content/trial";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import { Recording } from "~/features/deployments/insights/recording";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { roleMay, useMay } from "~/features/workspaces/roles";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { pagePermissions } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import { useOwnDocument } from "~/ui/console/use-own-document";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/recording";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("What an agent recorded") },
  { name: "robots", content: "noindex" },
];

export const handle = {
  ...deploymentHandle({ path: "recordings", label: "What an agent recorded" }),
  right: "servers",
  isRead: true,
} as const;

const jobId = /^AJ_[A-Za-z0-9]{4,40}$/;

export async function loader(args: Route.LoaderArgs) {
  const { context, params } = args;
  const { name, stored } = foundOrThrow(await findDeployment(args));
  if (!jobId.test(params.job)) throw data(null, { status: 404 });
  if (!("options" in stored)) throw data(outdatedChoices, { status: 409 });
  const { domain } = stored.options;
  const isTrial = await isInTrial(context.get(sessionContext));
  if (!isTrial && roleMay(openWorkspace(context).role, "servers")) {
    context.set(pagePermissions, { host: domain, hasSound: true });
  }
  return { name, domain, job: params.job, isTrial };
}

export default function RecordingPage({ loaderData }: Route.ComponentProps) {
  useOwnDocument();
  const mayRead = useMay("servers");
  const { domain, job, isTrial } = loaderData;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">What an agent recorded</h1>
      <p className="mt-3 mb-8 max-w-prose wrap-anywhere text-ink-soft">
        {`Transcript, sound and log are on ${domain} alone. This browser reads them there, with a token that is made there, and we see none of it.`}
      </p>
      {isTrial ? (
        <Message kind="neutral">{trialConnections.recording}</Message>
      ) : mayRead ? (
        <>
          <Message kind="warning" className="mb-8 scripted:hidden">
            A recording is read by this browser, and that needs JavaScript. Allow it for this site.
            Or read it on the server: <code>{`sudo livekit-deploy insights show ${job}`}</code>
          </Message>
          <Recording domain={domain} job={job} />
        </>
      ) : null}
    </div>
  );
}
