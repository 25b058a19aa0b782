import { useEffect } from "react";
import { data, useSearchParams } from "react-router";
import { portsOf } from "~/features/deployments/bundle/ports";
import { CallForm, ListenForm } from "~/features/deployments/call/call-form";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import { CommandBox } from "~/features/deployments/page/command-box";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { pagePermissions } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
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
  const { domain } = stored.options;
  args.context.set(pagePermissions, { host: domain, microphone: true });
  const mediaPorts = portsOf(stored.options)
    .filter(({ audience, service }) => audience === "public" && service === "livekit")
    .map(({ ports, protocol }) => `${ports}/${protocol}`)
    .join(", ");
  return { id, name, version, server: { domain, mediaPorts } };
}

export default function Call({ loaderData }: Route.ComponentProps) {
  useOwnDocument();
  const [parameters] = useSearchParams();
  const { id, version, server } = loaderData;
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

/**
 * Loads the page again where the router came to it within the document of another page, whose headers allow neither
 * the microphone nor the customer's server. Links to it say `reloadDocument`; this is for Back and Forward.
 */
function useOwnDocument(): void {
  useEffect(() => {
    const [document] = performance.getEntriesByType("navigation");
    const { pathname, search } = location;
    if (document && new URL(document.name).pathname !== pathname) {
      // `reload` would be stopped: app/ui/chrome/step-after-deploy.client.ts.
      location.replace(pathname + search);
    }
  }, []);
}
