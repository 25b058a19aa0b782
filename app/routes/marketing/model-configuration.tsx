import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { defaultConfiguration, sampleUsage, voices } from "~/content/model-configuration";
import { DemoConfiguration } from "~/features/agents/configuration/demo-configuration";
import { ReadByAgent } from "~/features/agents/configuration/read-by-agent";
import { UsageStatistics } from "~/features/agents/usage/usage-statistics";
import type { RouteHandle } from "~/http/route-handle";
import { readingMeta } from "~/seo/reading-meta";
import { Band } from "~/ui/primitives/band";
import { PageIntro } from "~/ui/primitives/page-intro";
import { TextLink } from "~/ui/primitives/text-link";
import { loadPage } from "~/ui/reading/pages.server";
import { Prose } from "~/ui/reading/prose";
import type { Route } from "./+types/model-configuration";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  readingMeta(loaderData?.page, "/openai-config");

export const handle = { isPublic: true } satisfies RouteHandle;

export const loader = async (args: Route.LoaderArgs) => ({
  configuration: defaultConfiguration,
  voices,
  usage: sampleUsage,
  page: await loadPage("samples/token-usage", args),
});

/** Only customers get it, so only browsers ever load it. */
const UserConfiguration = lazy(() =>
  import("~/features/agents/configuration/user-configuration.client").catch(() => ({
    default: NotLoaded,
  })),
);

const isSignedIn = () => document.documentElement.classList.contains("signed-in");

export default function ModelConfiguration({ loaderData }: Route.ComponentProps) {
  const { voices, page } = loaderData;
  const signedIn = useSyncExternalStore(
    () => () => {},
    isSignedIn,
    () => false,
  );
  const visitors = (
    <div className="signed-in:invisible">
      <Visitors loaderData={loaderData} />
    </div>
  );
  return (
    <>
      <div className="page">
        <PageIntro title="Model Configuration">
          <p>
            For rooms with a voice agent: a program of yours that joins a call on your server and
            talks. Here you decide how it thinks, speaks and listens; it reads what you decided as
            one piece of JSON. Your server runs without one.
          </p>
        </PageIntro>
      </div>
      {signedIn ? (
        <Suspense fallback={visitors}>
          <UserConfiguration voices={voices} />
        </Suspense>
      ) : (
        visitors
      )}
      <section aria-labelledby="count-tokens" className="border-t border-line bg-well">
        <div className="page grid grid-cols-1 gap-10 py-20 lg:grid-cols-[1fr_2.4fr]">
          <h2 id="count-tokens" className="text-2xl lg:sticky lg:top-24 lg:self-start">
            Count tokens per user
          </h2>
          <div className="min-w-0">
            <Prose html={page.html} />
          </div>
        </div>
      </section>
    </>
  );
}

function NotLoaded() {
  return (
    <p role="alert" className="page pb-20">
      Your configuration could not be loaded. Reload the page to try again.
    </p>
  );
}

function Visitors({ loaderData }: Pick<Route.ComponentProps, "loaderData">) {
  const { usage, voices } = loaderData;
  const [configuration, setConfiguration] = useState(loaderData.configuration);
  return (
    <>
      <div className="page pb-20">
        <div className="grid grid-cols-1 gap-x-16 gap-y-12 border-t border-line pt-10 lg:grid-cols-[7fr_5fr]">
          <div>
            <DemoConfiguration
              configuration={loaderData.configuration}
              voices={voices}
              onUpdated={setConfiguration}
            />
            <TextLink to="/dashboard/models" variant="standalone" className="mt-5 scripted:hidden">
              Open my saved configuration
            </TextLink>
          </div>
          <ReadByAgent configuration={configuration} />
        </div>
      </div>
      <Band
        id="token-usage"
        title="Token Usage Statistics"
        detail={
          <p className="mt-4 max-w-prose text-ink-soft">
            Sample figures: what a model reports after one short conversation.
          </p>
        }
      >
        <div className="min-w-0">
          <UsageStatistics usage={usage} />
        </div>
      </Band>
    </>
  );
}
