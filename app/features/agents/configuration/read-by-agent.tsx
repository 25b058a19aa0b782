import type { ReactNode } from "react";
import type { ModelConfiguration } from "~/content/model-configuration";

/** The configuration as the JSON that an agent gets. */
export function ReadByAgent({
  configuration,
  children,
}: {
  configuration: ModelConfiguration;
  children?: ReactNode;
}) {
  return (
    <section aria-labelledby="read-by-agent" className="min-w-0 lg:sticky lg:top-24 lg:self-start">
      <h2 id="read-by-agent" className="font-normal tracking-normal text-ink-soft">
        What the agent reads
      </h2>
      <pre className="mt-3 rounded-md border border-line bg-well p-4 text-sm break-words whitespace-pre-wrap">
        <code>{JSON.stringify(configuration, null, 2)}</code>
      </pre>
      {children}
    </section>
  );
}
