import type { ModelConfiguration } from "~/content/model-configuration";
import { DemoNote } from "~/ui/primitives/demo-note";
import { type DemoResult, useDemoSubmit } from "~/ui/primitives/use-demo-submit";
import { checkConfiguration } from "./configuration";
import { ConfigurationForm } from "./configuration-form";

/** The form for visitors who are not signed in. It behaves like the real one and sends nothing. */
export function DemoConfiguration({
  configuration,
  voices,
  onUpdated,
}: {
  configuration: ModelConfiguration;
  voices: readonly { value: string; label: string }[];
  onUpdated: (updated: ModelConfiguration) => void;
}) {
  const { submission, canSubmit, onSubmit } = useDemoSubmit((form): DemoResult => {
    const { modalities } = configuration;
    const checked = checkConfiguration(form, { modalities, voices });
    const [message] = Object.values(checked.problems);
    if (message) return { phase: "failure", message };
    onUpdated(checked.configuration);
    return { phase: "success" };
  });
  const { phase } = submission;
  return (
    <ConfigurationForm
      configuration={configuration}
      voices={voices}
      onSubmit={onSubmit}
      phase={phase === "submitting" ? phase : canSubmit ? "ready" : "unusable"}
      success={phase === "success" ? "Configuration updated successfully!" : undefined}
      failure={phase === "failure" ? submission.message : undefined}
    >
      <DemoNote>This is a demo: nothing is sent, and a reload starts over.</DemoNote>
    </ConfigurationForm>
  );
}
