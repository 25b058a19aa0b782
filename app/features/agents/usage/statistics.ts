/** Sums of a customer's usage. Days are UTC's, as YYYY-MM-DD. */
export type UsageStatisticsView = {
  from: string;
  to: string;
  identity: string;
  total: UsageSums;
  /** Only days on which something was used, in their order. */
  days: DayOfUsage[];
  /** Those that used most first, at most 100 of `known`; of `identity` alone where it is not "". */
  identities: IdentityUsage[];
  known: number;
};

export type UsageSums = {
  responses: number;
  total_tokens: number;
  input_tokens: number;
  input_text_tokens: number;
  input_audio_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  output_text_tokens: number;
  output_audio_tokens: number;
};

export type DayOfUsage = {
  day: string;
  responses: number;
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
};

export type IdentityUsage = {
  identity: string;
  responses: number;
  total_tokens: number;
  /** Null without an allowance. */
  remaining: number | null;
};
