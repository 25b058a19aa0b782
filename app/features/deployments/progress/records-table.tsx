import { Fragment } from "react";
import { CopyButton } from "~/ui/primitives/copy-button";
import { type Column, Table } from "~/ui/primitives/table";
import { CommandBox } from "../page/command-box";
import { type LookAnswer, recordWords, zoneFile } from "./look-words";
import type { StepsView } from "./steps-view.server";

const onPhones = "max-sm:block max-sm:py-0.5";
const head = "max-sm:hidden";
const columns: readonly Column[] = [
  { label: "Type", className: head },
  { label: "Name", className: head },
  { label: "Value", className: head },
  { label: "Now", className: head },
];

/** The records to set at the DNS provider, each with what the resolver last said. On a phone each is a block. */
export function RecordsTable({
  view: { records, address },
  look,
}: {
  view: StepsView;
  look: LookAnswer | undefined;
}) {
  return (
    <>
      <Table caption="DNS records to set" columns={columns}>
        <tbody>
          {records.map(({ type, name, shownName, purpose, value }, at) => {
            const seen = look?.records[at];
            return (
              <tr key={`${type} ${name}`} className="text-sm max-sm:block max-sm:py-2">
                <td className={`font-mono ${onPhones}`}>
                  <Label>Type</Label>
                  {type}
                </td>
                <th scope="row" className={onPhones}>
                  <Label>Name</Label>
                  <span className="font-mono wrap-anywhere">
                    <AtDots text={name} />
                  </span>
                  <CopyButton text={name} label={`Copy ${name}`} />
                  <span className="block text-ink-soft">
                    {shownName === name ? purpose : `${shownName}. ${purpose}`}
                  </span>
                </th>
                <td className={onPhones}>
                  <Label>Value</Label>
                  {value ? (
                    <>
                      <span className="font-mono wrap-anywhere">{value}</span>
                      <CopyButton text={value} label={`Copy the value of ${type} ${name}`} />
                    </>
                  ) : (
                    `the server's ${type === "A" ? "IPv4" : "IPv6"} address`
                  )}
                </td>
                <td
                  className={`${onPhones} ${seen?.state === "right" ? "text-signal" : ""} ${seen?.state === "elsewhere" ? "text-warning" : ""}`}
                >
                  <Label>Now</Label>
                  {seen ? recordWords(seen) : "Not looked up yet"}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {address ? (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-ink-soft hover:text-ink">
            All as a zone file
          </summary>
          <CommandBox text={zoneFile(records)} label="the zone file" />
        </details>
      ) : null}
    </>
  );
}

/** The head of a column beside its value, where a phone shows no head. */
function Label({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="inline-block w-14 text-ink-soft sm:hidden">
      {children}
    </span>
  );
}

/** A name that wraps after its dots, so that none of its words is cut. */
function AtDots({ text }: { text: string }) {
  const parts = text.split(".");
  return parts.map((part, at) => (
    <Fragment key={parts.slice(at).join(".")}>
      {part}
      {at < parts.length - 1 ? (
        <>
          .<wbr />
        </>
      ) : null}
    </Fragment>
  ));
}
