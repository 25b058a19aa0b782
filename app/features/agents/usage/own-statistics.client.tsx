import { type FormEvent, useState } from "react";
import { useFetcher } from "react-router";
import { type ReadFailure, useRead } from "~/http/read";
import type { UsageStatisticsView } from "./statistics";
import { StatisticsBand } from "./statistics-band";

/** The usage on a page that is the same for everybody: the browser reads it. */
export function OwnStatistics() {
  const [query, setQuery] = useState("");
  const { value: last, failure } = useRead(
    useFetcher<UsageStatisticsView | ReadFailure>(),
    `/openai-config/usage${query}`,
  );

  function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setQuery(queryOf(new FormData(event.currentTarget)));
  }
  return <StatisticsBand statistics={last} failure={failure} chosen={last} onSubmit={choose} />;
}

function queryOf(form: FormData): string {
  const query = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === "string" && value) query.set(name, value);
  return `?${query}`;
}
