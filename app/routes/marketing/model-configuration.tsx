import { useState } from "react";
import { PageIntro } from "~/components/page-intro";
import { readingMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { Prose } from "~/content/markdown/prose";
import {
  type ModelConfiguration as Configuration,
  defaultConfiguration,
  sampleUsage,
  voices,
} from "~/content/model-configuration";
import { ConfigurationForm } from "~/model-configuration/configuration-form";
import { UsageStatistics } from "~/model-configuration/usage-statistics";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/model-configuration";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  readingMeta(loaderData?.page, "/openai-config");

export const headers: Route.HeadersFunction = () => publicPage;

export const loader = async (args: Route.LoaderArgs) => ({
  configuration: defaultConfiguration,
  voices,
  usage: sampleUsage,
  page: await loadPage("samples/token-usage", args),
});

export default function ModelConfiguration({ loaderData }: Route.ComponentProps) {
  const { usage, voices, page } = loaderData;
  const [configuration, setConfiguration] = useState<Configuration>(loaderData.configuration);

  return (
    <>
      <div className="page pb-20">
        <PageIntro title="Model Configuration">
          <p>
            How a voice agent in your rooms thinks, speaks and listens. You decide; the agent reads
            what you decided as one piece of JSON.
          </p>
        </PageIntro>
        <div className="grid grid-cols-1 gap-x-16 gap-y-12 border-t border-line pt-10 lg:grid-cols-[7fr_5fr]">
          <ConfigurationForm
            configuration={loaderData.configuration}
            voices={voices}
            onUpdated={setConfiguration}
          />
          <section
            aria-labelledby="read-by-agent"
            className="min-w-0 lg:sticky lg:top-24 lg:self-start"
          >
            <h2 id="read-by-agent" className="font-normal tracking-normal text-ink-soft">
              What the agent reads
            </h2>
            <pre className="mt-3 rounded-md border border-line bg-well p-4 text-sm break-words whitespace-pre-wrap">
              <code>{JSON.stringify(configuration, null, 2)}</code>
            </pre>
          </section>
        </div>
      </div>
      <section aria-labelledby="token-usage" className="border-t border-line">
        <div className="page grid grid-cols-1 gap-10 py-20 lg:grid-cols-[1fr_1.6fr]">
          <div>
            <h2 id="token-usage" className="text-2xl">
              Token Usage Statistics
            </h2>
            <p className="mt-4 max-w-prose text-ink-soft">
              Sample figures: what a model reports after one short conversation.
            </p>
          </div>
          <div className="min-w-0">
            <UsageStatistics usage={usage} />
          </div>
        </div>
      </section>
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
