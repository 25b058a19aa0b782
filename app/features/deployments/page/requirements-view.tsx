import { CopyButton } from "~/ui/primitives/copy-button";
import { type Column, Table } from "~/ui/primitives/table";
import type { DnsRecord, Port } from "../bundle/bundle-types";

const dnsColumns: readonly Column[] = [
  "Type",
  "Name",
  { label: "Value", className: "max-sm:hidden" },
  { label: "Copy", unseen: true },
];

/** The records to set at the DNS provider. */
export function DnsTable({ records }: { records: readonly DnsRecord[] }) {
  return (
    <Table caption="DNS records to set" columns={dnsColumns}>
      <tbody>
        {records.map(({ type, name, shownName, purpose }) => (
          <tr key={`${type} ${name}`}>
            <td className="font-mono text-sm">{type}</td>
            <th scope="row">
              <span className="font-mono text-sm break-all">{name}</span>
              {shownName === name ? null : (
                <span className="block text-sm text-ink-soft">{shownName}</span>
              )}
              <span className="block text-sm text-ink-soft">{purpose}</span>
              <span className="block text-sm sm:hidden">{addressFor(type)}</span>
            </th>
            <td className="text-sm max-sm:hidden">{addressFor(type)}</td>
            <td className="w-0 text-right">
              <CopyButton text={name} label={`Copy ${name}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function addressFor(type: DnsRecord["type"]): string {
  return `the server's ${type === "A" ? "IPv4" : "IPv6"} address`;
}

const portColumns: readonly Column[] = [
  "Port",
  "Purpose",
  { label: "Open to", className: "max-sm:hidden" },
];

/** Every port of the server and who may reach it. */
export function PortTable({ ports }: { ports: readonly Port[] }) {
  return (
    <Table caption="Ports of the server and who may reach them" columns={portColumns}>
      <tbody>
        {ports.map((port) => (
          <tr
            key={`${port.ports}/${port.protocol} ${port.service}`}
            className={port.audience === "internal" ? "text-ink-soft" : ""}
          >
            <th scope="row" className="font-mono text-sm whitespace-nowrap tabular-nums">
              {port.ports}/{port.protocol}
            </th>
            <td className="text-sm">
              {port.purpose}
              <span className="block sm:hidden">
                <OpenTo port={port} />
              </span>
            </td>
            <td className="text-sm max-sm:hidden">
              <OpenTo port={port} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function OpenTo({ port: { audience, sources } }: { port: Port }) {
  if (audience === "internal") return "nobody outside";
  if (sources.every((source) => source.endsWith("/0"))) return "everybody";
  return <span className="font-mono wrap-anywhere">{sources.join(", ")}</span>;
}
