import { TextLink } from "~/ui/primitives/text-link";
import type { MergeMessage } from "../mail/mail-merge";
import type { MergeProgress, RowState } from "../mail/merge-run";

/** The result of each message. */
export function MergeRows({
  messages,
  progress,
}: {
  messages: readonly MergeMessage[];
  progress: MergeProgress;
}) {
  return (
    <section aria-label="Results" className="overflow-x-auto border-y border-line">
      <table className="w-full text-left text-sm">
        <thead>
          <tr>
            <th scope="col" className="py-2 pr-4 font-strong">
              Row
            </th>
            <th scope="col" className="py-2 pr-4 font-strong">
              To
            </th>
            <th scope="col" className="py-2 font-strong">
              Result
            </th>
          </tr>
        </thead>
        <tbody>
          {messages.map(({ row, to }) => (
            <tr key={row} className="border-t border-line align-top">
              <td className="py-2 pr-4">{row}</td>
              <td className="py-2 pr-4 break-all">{to}</td>
              <td className="py-2">
                <RowWords rowState={progress.standings[row]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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
      return "Sending";
    default:
      return "Waiting";
  }
}
