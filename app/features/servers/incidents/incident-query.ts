/** So many incidents are read at once. */
export const maxIncidents = 3_000;

/** What the list of incidents is narrowed to; empty is everything. */
export type IncidentQuery = {
  state: "open" | "past" | "";
  severity: "page" | "notify" | "";
  /** The id of a deployment. */
  deployment: string;
  /** A part of a server's name, or its id. */
  server: string;
  /** How far back: an incident counts that was open at any time since. */
  days: (typeof periods)[number];
  /** From 1. */
  page: number;
};

export const periods = [90, 30, 7, 1] as const;

const chosen = <Value extends string>(value: string | null, among: readonly Value[]) =>
  among.find((each) => each === value) ?? "";

/** The filter that an address names. A value that is missing or not one of the filter's narrows nothing. */
export function incidentQuery(search: URLSearchParams): IncidentQuery {
  const text = (name: string) => (search.get(name) ?? "").trim().slice(0, 100);
  const page = /^[1-9]\d{0,3}$/.test(text("page")) ? Number(text("page")) : 1;
  return {
    state: chosen(search.get("state"), ["open", "past"]),
    severity: chosen(search.get("severity"), ["page", "notify"]),
    deployment: text("deployment"),
    server: text("server"),
    days: periods.find((days) => String(days) === search.get("days")) ?? 90,
    page,
  };
}

/** The same as an address has it, without what narrows nothing. */
export function searchOf({ days, page, ...words }: IncidentQuery): URLSearchParams {
  const set = Object.entries(words).filter(([, value]) => value !== "");
  return new URLSearchParams([
    ...set,
    ...(days === 90 ? [] : [["days", String(days)]]),
    ...(page === 1 ? [] : [["page", String(page)]]),
  ]);
}
