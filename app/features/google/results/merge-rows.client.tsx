import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import type { MergeMessage } from "../mail/mail-merge";
import type { MergeProgress, RowState } from "../mail/merge-run";

const columns = ["Row", "To", "Result"];

/** The result of each message. */
export function MergeRows({
  messages,
  progress,
}: {
  messages: readonly MergeMessage[];
  progress: MergeProgress;
}) {
  return (
    <Table caption="Results" columns={columns} compact>
      <tbody>
        {messages.map(({ row, to }) => (
          <tr key={row}>
            <td>{row}</td>
            <td className="break-all">{to}</td>
            <td>
              <RowWords rowState={progress.rowStates[row]} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function RowWords({ rowState }: { rowState: RowState | undefined }) {
  switch (rowState?.state) {
    case "sent":
      return rowState.link ? (
        <TextLink to={rowState.link} target="_blank" rel="noreferrer">
          Sent
        </TextLink>
      ) : (
        "Sent"
      );
    case "failed":
      return <span className="text-failure">{rowState.message}</span>;
    case "sending":
      return <span>{"Sending"}</span>;
    default:
      return <span>{"Waiting"}</span>;
  }
}
