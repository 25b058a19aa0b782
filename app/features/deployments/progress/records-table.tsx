import { CopyButton } from "~/ui/primitives/copy-button";
import { type Column, Table } from "~/ui/primitives/table";
import { Breakable } from "../page/breakable";
import { CommandBox } from "../page/command-box";
import { More } from "../page/more";
import { type CheckAnswer, recordWords, zoneFile } from "./look-words";
import type { StepsView } from "./steps-view.server";

const onPhones = "max-sm:flex max-sm:items-baseline max-sm:py-0.5";
const head = "max-sm:hidden";
const columns: readonly Column[] = [
  { label: "Type", className: head },
  { label: "Name", className: head },
  { label: "Value", className: head },
  { label: "Now", className: head },
];

/** The records to set at the DNS provider, each with what the resolver last said. On a phone each is a block. */
export function RecordsTable({
  view: { records, address, several },
  check,
}: {
  view: StepsView;
  check: CheckAnswer | undefined;
}) {
  return (
    <>
      <Table caption="DNS records to set" columns={columns}>
        <tbody>
          {records.map(({ type, name, shownName, purpose, value }, at) => {
            const seen = check?.records[at];
            return (
              <tr key={`${type} ${name}`} className="text-sm max-sm:block max-sm:py-2">
                <td className={`font-mono ${onPhones}`}>
                  <Label>Type</Label>
                  {type}
                </td>
                <th scope="row" className={onPhones}>
                  <Label>Name</Label>
                  <div className="min-w-0">
                    <span className="font-mono wrap-anywhere">
                      <Breakable text={name} />
                    </span>
                    <CopyButton text={name} label={`Copy ${name}`} />
                    <span className="block text-ink-soft">
                      {shownName === name ? purpose : `${shownName}. ${purpose}`}
                    </span>
                  </div>
                </th>
                <td className={onPhones}>
                  <Label>Value</Label>
                  {value ? (
                    <>
                      <span className="font-mono wrap-anywhere">{value}</span>
                      <CopyButton text={value} label={`Copy the value of ${type} ${name}`} />
                    </>
                  ) : (
                    <span>{`the ${several?.entrance ?? "server"}'s ${type === "A" ? "IPv4" : "IPv6"} address`}</span>
                  )}
                </td>
                <td
                  className={`${onPhones} ${seen?.state === "right" ? "text-signal" : ""} ${seen?.state === "elsewhere" ? "text-warning" : ""}`}
                >
                  <Label>Now</Label>
                  <span>{seen ? recordWords(seen) : "Not looked up yet"}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {address ? (
        <More summary="All as a zone file">
          <CommandBox text={zoneFile(records)} label="the zone file" />
        </More>
      ) : null}
    </>
  );
}

/** The head of a column beside its value, where a phone shows no head. */
function Label({ children }: { children: string }) {
  return <span className="w-14 shrink-0 text-ink-soft sm:hidden">{children}</span>;
}
