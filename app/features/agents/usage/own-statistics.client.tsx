import { type FormEvent, useId, useState } from "react";
import { useFetcher } from "react-router";
import type { ReadFailure } from "~/http/read-failure";
import { useRead } from "~/http/use-read";
import { Band } from "~/ui/primitives/band";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import { pressable, TextLink } from "~/ui/primitives/text-link";
import { Allowances } from "./allowances.client";
import { DaysChart } from "./days-chart";
import type { UsageStatisticsView, UsageSums } from "./statistics";
import { UsageStatistics } from "./usage-statistics";

/** The usage that a customer's agents reported in a range of days: sums, days and identities. */
export function OwnStatistics() {
  const [query, setQuery] = useState("");
  // The names to choose from. Statistics of one identity name no other, so the earlier names are kept.
  const [names, setNames] = useState<readonly string[]>([]);
  const { value: last, failure } = useRead(
    useFetcher<UsageStatisticsView | ReadFailure>(),
    `/openai-config/usage${query}`,
  );

  function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (last && !last.identity) setNames(namesIn(last));
    setQuery(queryOf(new FormData(event.currentTarget)));
  }
  return (
    <Band
      id="token-usage"
      title="Token Usage Statistics"
      detail={
        <>
          <p className="mt-4 max-w-prose text-ink-soft">
            What your agents have reported. A day begins at midnight UTC.
          </p>
          {last ? (
            <RangeForm
              shown={last}
              names={last.identity ? names : namesIn(last)}
              onSubmit={choose}
            />
          ) : null}
        </>
      }
    >
      <div className="min-w-0">
        {failure ? <Message kind="failure">{failure.error}</Message> : null}
        {last ? <Shown statistics={last} /> : null}
        {!last && !failure ? <p role="status">Adding up your usage…</p> : null}
      </div>
      {last ? <Allowances statistics={last} /> : null}
    </Band>
  );
}

function namesIn({ identities }: UsageStatisticsView): string[] {
  return identities.map(({ identity }) => identity);
}

function queryOf(form: FormData): string {
  const query = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === "string" && value) query.set(name, value);
  return `?${query}`;
}

function RangeForm({
  shown,
  names,
  onSubmit,
}: {
  shown: UsageStatisticsView;
  names: readonly string[];
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}) {
  const { from, to, identity } = shown;
  const list = useId();
  const query = new URLSearchParams({ from, to, ...(identity ? { identity } : {}), format: "csv" });
  return (
    <form onSubmit={onSubmit} className="mt-6 grid gap-4">
      <TextField type="date" name="from" label="First day" defaultValue={from} required />
      <TextField
        type="date"
        name="to"
        label="Last day"
        defaultValue={to}
        hint="At most 366 days."
        required
      />
      <TextField
        name="identity"
        label="Identity"
        hint="Empty for all of them."
        list={list}
        defaultValue={identity}
        autoComplete="off"
      />
      <datalist id={list}>
        {names.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="secondary">
          Show
        </Button>
        <TextLink to={`/openai-config/usage?${query}`} reloadDocument download>
          Download CSV
        </TextLink>
      </div>
    </form>
  );
}

const dayColumns = ["Day", "Responses", "Input", "Output", "Total"];

function Shown({ statistics }: { statistics: UsageStatisticsView }) {
  const { total, from, to, identity, days } = statistics;
  const whose = identity ? ` by ${identity}` : "";
  if (total.responses === 0) {
    return <p role="status">{`No usage${whose} from ${from} to ${to}.`}</p>;
  }
  return (
    <>
      <p role="status" className="mb-6">
        {`${total.responses} ${total.responses === 1 ? "response" : "responses"}${whose} from ${from} to ${to}.`}
      </p>
      <UsageStatistics usage={asUsage(total)} />
      <h3 className="mt-12 mb-4 text-xl">Per day</h3>
      <DaysChart from={from} to={to} days={days} />
      <details className="mt-4">
        <summary className={`min-h-11 content-center ${pressable}`}>The days as a table</summary>
        <Table caption="Tokens per day" columns={dayColumns} numeric compact className="mt-2">
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th scope="row" className="whitespace-nowrap">
                  {day.day}
                </th>
                <td>{day.responses}</td>
                <td>{day.input_tokens}</td>
                <td>{day.output_tokens}</td>
                <td>{day.total_tokens}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </>
  );
}

function asUsage(sums: UsageSums) {
  return {
    total_tokens: sums.total_tokens,
    input_tokens: sums.input_tokens,
    output_tokens: sums.output_tokens,
    input_token_details: {
      text_tokens: sums.input_text_tokens,
      audio_tokens: sums.input_audio_tokens,
      cached_tokens: sums.cached_tokens,
    },
    output_token_details: {
      text_tokens: sums.output_text_tokens,
      audio_tokens: sums.output_audio_tokens,
    },
  };
}
