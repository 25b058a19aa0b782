/** How a voice agent is set up; the names are those that the agent reads. */
export type ModelConfiguration = {
  model: string;
  instructions: string;
  modalities: readonly string[];
  voice: string;
  inputAudioTranscription: { model: string };
};

export const defaultConfiguration: ModelConfiguration = {
  model: "gpt-4o-mini-realtime-preview",
  instructions:
    "You are a helpful assistant in a LiveKit room. Answer in short spoken sentences. Say so when you do not know something.",
  modalities: ["text", "audio"],
  voice: "shimmer",
  inputAudioTranscription: { model: "whisper-1" },
};

export const voices = [
  { value: "shimmer", label: "Shimmer" },
  { value: "alloy", label: "Alloy" },
  { value: "echo", label: "Echo" },
  { value: "fable", label: "Fable" },
  { value: "onyx", label: "Onyx" },
  { value: "nova", label: "Nova" },
] as const;

/** What a realtime model reports with each response. */
export type TokenUsage = {
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  input_token_details: {
    text_tokens: number;
    audio_tokens: number;
    cached_tokens: number;
    cached_tokens_details?: { text_tokens: number; audio_tokens: number };
  };
  output_token_details: { text_tokens: number; audio_tokens: number };
};

/** What visitors see instead of figures of their own. */
export const sampleUsage: TokenUsage = {
  total_tokens: 1500,
  input_tokens: 500,
  output_tokens: 1000,
  input_token_details: { text_tokens: 400, audio_tokens: 100, cached_tokens: 0 },
  output_token_details: { text_tokens: 800, audio_tokens: 200 },
};
