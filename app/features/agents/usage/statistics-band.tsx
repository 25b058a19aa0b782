import { type FormEvent, useId, useState } from "react";
import { Form } from "react-router";
import type { ReadFailure } from "~/http/read";
import { atWorkspace, useConsoleBase } from "~/ui/console/console-path";
import { Band } from "~/ui/primitives/band";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import { pressable, TextLink } from "~/ui/primitives/text-link";
import { Allowances } from "./allowances";
import { DaysChart } from "./days-chart";
import type { UsageStatisticsView, UsageSums } from "./statistics";
import { UsageStatistics } from "./usage-statistics";

type Chosen = Pick<UsageStatisticsView, "from" | "to" | "identity">;

/**
 * The usage that a customer's agents reported in a range of days: sums, days and identities. The form asks the page for
 * another range, unless `onSubmit` takes it over.
 */
export function StatisticsBand({
  statistics: last,
  failure,
  chosen,
  onSubmit,
}: {
  /** The newest that was read. */
  statistics: UsageStatisticsView | undefined;
  failure: ReadFailure | undefined;
  /** What the form names; without it there is no form. */
  chosen: Chosen | undefined;
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
}) {
  // Statistics of one identity name no other, so those of all are kept for the names to choose from.
  const [ofAll, setOfAll] = useState<UsageStatisticsView>();
  if (last && !last.identity && last !== ofAll) setOfAll(last);
  return (
    <Band
      id="token-usage"
      title="Token Usage Statistics"
      detail={
        <>
          <p className="mt-4 max-w-prose text-ink-soft">
            What your agents have reported. A day begins at midnight UTC.
          </p>
          {chosen ? (
            <RangeForm chosen={chosen} names={namesIn(ofAll ?? last)} onSubmit={onSubmit} />
          ) : null}
        </>
      }
    >
      <div className="min-w-0">
        {failure ? <Message kind="failure">{failure.error}</Message> : null}
        {last ? <Statistics statistics={last} /> : null}
        {!last && !failure ? <p role="status">Adding up your usage…</p> : null}
      </div>
      {last || failure ? <Allowances statistics={last} /> : null}
    </Band>
  );
}

function namesIn(statistics: UsageStatisticsView | undefined): string[] {
  return statistics?.identities.map(({ identity }) => identity) ?? [];
}

function RangeForm({
  chosen: { from, to, identity },
  names,
  onSubmit,
}: {
  chosen: Chosen;
  names: readonly string[];
  onSubmit: ((event: FormEvent<HTMLFormElement>) => void) | undefined;
}) {
  const list = useId();
  const days = { from, to, ...(identity ? { identity } : {}) };
  const table = atWorkspace("/openai-config/usage", useConsoleBase(), { ...days, format: "csv" });
  return (
    <Form method="get" onSubmit={onSubmit} className="mt-6 grid gap-4">
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
        <TextLink to={table} reloadDocument download>
          Download CSV
        </TextLink>
      </div>
    </Form>
  );
}

const dayColumns = ["Day", "Responses", "Input", "Output", "Total"];

function Statistics({ statistics }: { statistics: UsageStatisticsView }) {
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
