import type { SupabaseClient } from "@supabase/supabase-js";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { csvOf } from "~/http/encodings";
import type { Database } from "~/platform/database/types";
import { dayMs, isoDayOf } from "~/ui/dates";
import type { UsageStatisticsView } from "./statistics";

type Supabase = SupabaseClient<Database>;

const maxRangeDays = 366;
const maxRows = 20_000;
const pageSize = 1_000;

export type Range = { from: string; to: string; identity: string };

/** The days and the identity that a query names. Without them: the last 30 days (UTC) and every identity. */
export function rangeIn(
  query: URLSearchParams,
  now: Date,
): { ok: true; range: Range } | { ok: false; message: string } {
  const to = dayIn(query.get("to")) ?? isoDayOf(now);
  const from = dayIn(query.get("from")) ?? isoDayOf(new Date(Date.parse(to) - 29 * dayMs));
  const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (length < 1) return { ok: false, message: "The last day must not be before the first." };
  if (length > maxRangeDays) {
    return { ok: false, message: `Choose at most ${maxRangeDays} days.` };
  }
  return { ok: true, range: { from, to, identity: identityIn(query.get("identity")) } };
}

function identityIn(value: string | null): string {
  return value && !/[\p{Cc}\p{Cs}]/u.test(value) ? value.slice(0, 400) : "";
}

/** A day that exists, in this century. */
function dayIn(typed: string | null): string | undefined {
  if (!typed || !/^20\d\d-\d\d-\d\d$/.test(typed)) return;
  const time = Date.parse(typed);
  return Number.isNaN(time) || isoDayOf(new Date(time)) !== typed ? undefined : typed;
}

/** The sums of a workspace's usage. */
export async function readStatistics(
  supabase: Supabase,
  workspace: Pick<Workspace, "id">,
  range: Range,
): Promise<UsageStatisticsView | { error: unknown }> {
  const { data, error } = await supabase.rpc("token_usage_statistics", {
    first_day: range.from,
    last_day: range.to,
    workspace: workspace.id,
    ...(range.identity ? { only_identity: range.identity } : {}),
  });
  if (error) return { error };
  // The generated types say only that it is JSON; supabase/migrations/…_usage_by_workspace.sql defines its fields.
  return { ...range, ...(data as Omit<UsageStatisticsView, keyof Range>) };
}

const columns = [
  "day",
  "identity",
  "responses",
  "total_tokens",
  "input_tokens",
  "input_text_tokens",
  "input_audio_tokens",
  "cached_tokens",
  "output_tokens",
  "output_text_tokens",
  "output_audio_tokens",
] as const;

/** The usage of the same days as CSV, with a row for each day and identity. */
export async function exportStatistics(
  supabase: Supabase,
  workspace: Pick<Workspace, "id">,
  { from, to, identity }: Range,
): Promise<{ csv: string } | { tooMany: number } | { error: unknown }> {
  const rows: (string | number)[][] = [];
  for (let start = 0; start <= maxRows; start += pageSize) {
    let query = supabase
      .from("token_usage_days")
      .select("*")
      .eq("workspace_id", workspace.id)
      .gte("day", from)
      .lte("day", to)
      .order("day")
      .order("identity")
      .range(start, start + pageSize - 1);
    if (identity) query = query.eq("identity", identity);
    const { data, error } = await query;
    if (error) return { error };
    rows.push(...data.map((row) => columns.map((column) => row[column])));
    if (data.length < pageSize) return { csv: csvOf([columns, ...rows]) };
  }
  return { tooMany: maxRows };
}
