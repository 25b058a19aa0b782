import { Button } from "~/components/button";
import { DemoNote } from "~/components/demo-note";
import { SelectField, TextAreaField, TextField } from "~/components/fields";
import { Message } from "~/components/message";
import { type Outcome, useDemoSubmit } from "~/components/use-demo-submit";
import type { ModelConfiguration } from "~/content/model-configuration";

type Option = { value: string; label: string };

/** Asks for everything that an agent reads but the modalities, which it only shows. */
export function ConfigurationForm({
  configuration,
  voices,
  onUpdated,
}: {
  configuration: ModelConfiguration;
  voices: readonly Option[];
  onUpdated: (updated: ModelConfiguration) => void;
}) {
  const { submission, canSubmit, onSubmit } = useDemoSubmit((form): Outcome => {
    const updated = configurationIn(form, configuration.modalities);
    if (/\s/.test(updated.model) || /\s/.test(updated.inputAudioTranscription.model)) {
      return { phase: "failure", message: "The name of a model has no spaces." };
    }
    onUpdated(updated);
    return { phase: "success" };
  });

  return (
    <form onSubmit={onSubmit} className="grid grid-cols-1 gap-5">
      <TextField
        name="model"
        label="Model"
        defaultValue={configuration.model}
        autoComplete="off"
        spellCheck={false}
      />
      <TextAreaField
        name="instructions"
        label="Instructions"
        rows={5}
        defaultValue={configuration.instructions}
        hint="What the assistant is told before the first word of a conversation."
      />
      <SelectField name="voice" label="Voice" options={voices} defaultValue={configuration.voice} />
      <TextField
        name="inputAudioTranscription.model"
        label="Audio transcription model"
        defaultValue={configuration.inputAudioTranscription.model}
        autoComplete="off"
        spellCheck={false}
      />
      {submission.phase === "success" ? (
        <Message kind="success">Configuration updated successfully!</Message>
      ) : null}
      {submission.phase === "failure" ? (
        <Message kind="failure">{`Error: ${submission.message}`}</Message>
      ) : null}
      <Button
        type="submit"
        disabled={!canSubmit}
        className="justify-self-start not-scripted:hidden"
      >
        {submission.phase === "submitting" ? "Updating..." : "Update Configuration"}
      </Button>
      <DemoNote>This is a demo: nothing is sent, and a reload starts over.</DemoNote>
    </form>
  );
}

function configurationIn(
  form: FormData,
  modalities: ModelConfiguration["modalities"],
): ModelConfiguration {
  const answer = (name: string) => String(form.get(name) ?? "").trim();
  return {
    model: answer("model"),
    instructions: answer("instructions"),
    modalities,
    voice: answer("voice"),
    inputAudioTranscription: { model: answer("inputAudioTranscription.model") },
  };
}
