import type { ModelConfiguration } from "~/content/model-configuration";

/** In characters. */
export const maxNameLength = 100;
export const maxInstructions = 10_000;

export type ConfigurationField =
  | "model"
  | "instructions"
  | "voice"
  | "inputAudioTranscription.model";

export type ConfigurationProblems = Partial<Record<ConfigurationField, string>>;

/** Reads the form values as a configuration, and says at which field something is wrong. */
export function checkConfiguration(
  form: Pick<FormData | URLSearchParams, "get">,
  { modalities, voices }: { modalities: readonly string[]; voices: readonly { value: string }[] },
): { configuration: ModelConfiguration; problems: ConfigurationProblems } {
  const textOf = (name: ConfigurationField) =>
    String(form.get(name) ?? "")
      .replace(/\r\n?/g, "\n")
      .trim();
  const configuration = {
    model: textOf("model"),
    instructions: textOf("instructions"),
    modalities,
    voice: textOf("voice"),
    inputAudioTranscription: { model: textOf("inputAudioTranscription.model") },
  };
  const problems: ConfigurationProblems = {};
  for (const field of ["model", "inputAudioTranscription.model"] as const) {
    const problem = problemOfName(textOf(field));
    if (problem) problems[field] = problem;
  }
  const { instructions, voice } = configuration;
  if (instructions.length > maxInstructions) {
    problems.instructions = `Instructions have at most ${maxInstructions} characters; these have ${instructions.length}.`;
  } else if (!isText(instructions)) {
    problems.instructions = "The instructions have a character that is no text.";
  }
  if (!voices.some(({ value }) => value === voice)) {
    problems.voice = "Choose one of the voices.";
  }
  return { configuration, problems };
}

function problemOfName(name: string): string | undefined {
  if (!name) return "A model needs a name.";
  if (/\s/.test(name)) return "The name of a model has no spaces.";
  if (name.length > maxNameLength || !isText(name)) {
    return `The name of a model has at most ${maxNameLength} characters.`;
  }
}

/** Whether PostgreSQL can store it as text: no lone surrogates, no control characters but tab and newline. */
export function isText(text: string): boolean {
  return !/(?![\t\n])[\p{Cc}\p{Cs}]/u.test(text);
}
