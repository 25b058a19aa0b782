import type { ReactNode } from "react";
import { CopyButton } from "~/ui/primitives/copy-button";
import type { DnsRecord, Port } from "../bundle/bundle-types";

const cell = "border-b border-line py-3 pr-1.5 align-baseline sm:pr-4";
const head = "border-b border-line-strong py-2 pr-4 text-left text-sm font-normal text-ink-soft";

type Column = {
  label: string;
  className?: string;
  /** For a screen reader alone. */
  unseen?: true;
};

function RequirementsTable({
  caption,
  columns,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  children: ReactNode;
}) {
  return (
    <table className="w-full">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, className = "", unseen }) => (
            <th key={label} scope="col" className={`${head} ${className}`}>
              {unseen ? <span className="sr-only">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

const dnsColumns: readonly Column[] = [
  { label: "Type" },
  { label: "Name" },
  { label: "Value", className: "max-sm:hidden" },
  { label: "Copy", unseen: true },
];

/** The records to set at the DNS provider. */
export function DnsTable({ records }: { records: readonly DnsRecord[] }) {
  return (
    <RequirementsTable caption="DNS records to set" columns={dnsColumns}>
      {records.map(({ type, name, shownName, purpose }) => (
        <tr key={`${type} ${name}`}>
          <td className={`${cell} font-mono text-sm`}>{type}</td>
          <th scope="row" className={`${cell} text-left font-normal`}>
            <span className="font-mono text-sm break-all">{name}</span>
            {shownName === name ? null : (
              <span className="block text-sm text-ink-soft">{shownName}</span>
            )}
            <span className="block text-sm text-ink-soft">{purpose}</span>
            <span className="block text-sm sm:hidden">{addressFor(type)}</span>
          </th>
          <td className={`${cell} text-sm max-sm:hidden`}>{addressFor(type)}</td>
          <td className={`${cell} w-0 pr-0 text-right`}>
            <CopyButton text={name} label={`Copy ${name}`} />
          </td>
        </tr>
      ))}
    </RequirementsTable>
  );
}

function addressFor(type: DnsRecord["type"]): string {
  return `the server's ${type === "A" ? "IPv4" : "IPv6"} address`;
}

const portColumns: readonly Column[] = [
  { label: "Port" },
  { label: "Purpose" },
  { label: "Open to", className: "pr-0 max-sm:hidden" },
];

/** Every port of the server and who may reach it. */
export function PortTable({ ports }: { ports: readonly Port[] }) {
  return (
    <RequirementsTable caption="Ports of the server and who may reach them" columns={portColumns}>
      {ports.map((port) => (
        <tr
          key={`${port.ports}/${port.protocol} ${port.service}`}
          className={port.audience === "internal" ? "text-ink-soft" : ""}
        >
          <th
            scope="row"
            className={`${cell} text-left font-mono text-sm font-normal whitespace-nowrap tabular-nums`}
          >
            {port.ports}/{port.protocol}
          </th>
          <td className={`${cell} text-sm`}>
            {port.purpose}
            <span className="block sm:hidden">
              <OpenTo port={port} />
            </span>
          </td>
          <td className={`${cell} pr-0 text-sm max-sm:hidden`}>
            <OpenTo port={port} />
          </td>
        </tr>
      ))}
    </RequirementsTable>
  );
}

function OpenTo({ port: { audience, sources } }: { port: Port }) {
  if (audience === "internal") return "nobody outside";
  if (sources.every((source) => source.endsWith("/0"))) return "everybody";
  return <span className="font-mono wrap-anywhere">{sources.join(", ")}</span>;
}
