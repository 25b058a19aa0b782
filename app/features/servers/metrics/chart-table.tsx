import { Moment } from "~/ui/moment";
import { Table } from "~/ui/primitives/table";
import { More } from "../../deployments/page/more";
import type { Chart } from "./charts.server";

/** The figures of a chart as a table. */
export function ChartTable({
  title,
  rows,
  words,
}: {
  title: string;
  rows: Chart["rows"];
  words: (value: number) => string;
}) {
  const shown = (value: number | null) => (value === null ? "not reported" : words(value));
  return (
    <More summary={`${title} as a table`}>
      <Table caption={title} columns={["From", "Least", "Mean", "Most"]} numeric compact>
        <tbody>
          {rows.map(({ at, least, mean, most }) => (
            <tr key={at}>
              <th scope="row">
                <Moment at={at} />
              </th>
              <td>{shown(least)}</td>
              <td>{shown(mean)}</td>
              <td>{shown(most)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </More>
  );
}
