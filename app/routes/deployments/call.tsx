import { data, useSearchParams } from "react-router";
import { trialConnections } from "~/content/trial";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { CallForm, ListenForm } from "~/features/deployments/call/call-form";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import { CommandBox } from "~/features/deployments/page/command-box";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { testedServerOf } from "~/features/deployments/test-room/tested-server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { pagePermissions } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import { useOwnDocument } from "~/ui/console/use-own-document";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/call";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Test call") },
  { name: "robots", content: "noindex" },
];

export const handle = deploymentHandle({ path: "call", label: "Test call" });

export async function loader(args: Route.LoaderArgs) {
  const { id, name, version, stored } = foundOrThrow(await findDeployment(args));
  if (!("options" in stored)) throw data(outdatedChoices, { status: 409 });
  const server = testedServerOf(stored.options);
  const isTrial = await isInTrial(args.context.get(sessionContext));
  if (!isTrial) args.context.set(pagePermissions, { host: server.domain, microphone: true });
  return { id, name, version, server, isTrial };
}

export default function Call({ loaderData }: Route.ComponentProps) {
  useOwnDocument();
  const [parameters] = useSearchParams();
  const { id, version, server, isTrial } = loaderData;
  if (isTrial) {
    return (
      <div className="pt-8">
        <h1 className="mb-6 text-2xl">Test call</h1>
        <Message kind="neutral">{trialConnections.call}</Message>
      </div>
    );
  }
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Test call</h1>
      <Message kind="warning" className="mt-6 scripted:hidden">
        A test call is made by this browser, and that needs JavaScript. Allow it for this site. Or
        call <code>sudo livekit-deploy doctor</code> on the server: it tries every way that media
        takes.
      </Message>
      {parameters.has("listen") ? (
        <div className="mt-6">
          <ListenForm id={id} server={server} />
        </div>
      ) : (
        <>
          <p className="mt-3 mb-6 max-w-prose text-ink-soft">
            Hear yourself on your own server: this tab sends your microphone, a second one plays
            what comes back. On the server, this shows key and secret:
          </p>
          <div className="mb-8 max-w-prose">
            <CommandBox text="sudo livekit-deploy credentials" label="the command" />
          </div>
          <CallForm id={id} version={version} server={server} />
        </>
      )}
    </div>
  );
}
