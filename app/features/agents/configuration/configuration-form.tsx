import type { ComponentProps } from "react";
import type { ModelConfiguration } from "~/content/model-configuration";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextAreaField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { type ConfigurationProblems, maxInstructions, maxNameLength } from "./configuration";

const nameHint = `1 to ${maxNameLength} characters, without spaces.`;

/** The fields of a configuration. The modalities, which an agent reads too, cannot be changed. */
export function ConfigurationForm({
  configuration,
  voices,
  problems = {},
  success,
  failure,
  phase,
  children,
  ...form
}: ComponentProps<"form"> & {
  configuration: ModelConfiguration;
  voices: readonly { value: string; label: string }[];
  problems?: ConfigurationProblems | undefined;
  success?: string | undefined;
  failure?: string | undefined;
  /** `unusable`: the page has no script yet that could handle the submit. */
  phase: "ready" | "submitting" | "unusable";
}) {
  return (
    <form className="grid grid-cols-1 gap-5" {...form}>
      <TextField
        name="model"
        label="Model"
        defaultValue={configuration.model}
        hint={nameHint}
        error={problems.model}
        autoComplete="off"
        spellCheck={false}
        mono
      />
      <TextAreaField
        name="instructions"
        label="Instructions"
        rows={5}
        defaultValue={configuration.instructions}
        hint={`What the assistant is told before the first word of a conversation. At most ${maxInstructions} characters.`}
        error={problems.instructions}
      />
      <SelectField
        name="voice"
        label="Voice"
        options={voices}
        defaultValue={configuration.voice}
        error={problems.voice}
      />
      <TextField
        name="inputAudioTranscription.model"
        label="Audio transcription model"
        defaultValue={configuration.inputAudioTranscription.model}
        hint={nameHint}
        error={problems["inputAudioTranscription.model"]}
        autoComplete="off"
        spellCheck={false}
        mono
      />
      {success ? <Message kind="success">{success}</Message> : null}
      {failure ? <Message kind="failure">{`Error: ${failure}`}</Message> : null}
      <Button
        type="submit"
        disabled={phase !== "ready"}
        className={`justify-self-start ${phase === "unusable" ? "not-scripted:hidden" : ""}`}
      >
        {phase === "submitting" ? "Updating..." : "Update Configuration"}
      </Button>
      {children}
    </form>
  );
}
