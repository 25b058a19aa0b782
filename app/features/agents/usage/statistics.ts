/** Sums of a customer's usage. Days begin at midnight UTC and are written YYYY-MM-DD. */
export type UsageStatisticsView = {
  from: string;
  to: string;
  identity: string;
  total: UsageSums;
  /** Only days on which something was used, in their order. */
  days: DayOfUsage[];
  /** At most 100 of the `known` identities, the largest usage first; only `identity` itself where it is not "". */
  identities: IdentityUsage[];
  /** How many identities used anything in these days. */
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
