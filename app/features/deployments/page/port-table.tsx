import { type Column, Table } from "~/ui/primitives/table";
import type { Port, Role } from "../bundle/bundle-types";

const portColumns: readonly Column[] = [
  "Port",
  "Purpose",
  { label: "Open to", className: "max-sm:hidden" },
];

/** Which machines of a cluster have a port; one without a role is on each. */
const machinesWith: Readonly<Record<Role, string>> = {
  edge: "On the edge",
  media: "On machines for calls",
  egress: "On machines for recording",
};

/** Every port of the server and who may reach it. */
export function PortTable({ ports }: { ports: readonly Port[] }) {
  // Behind a balancer machines are alike, but for those for recording.
  const roles = new Set(ports.map(({ role }) => role));
  const haveRoles = roles.has("edge") || roles.has("egress");
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
              <span>{port.purpose}</span>
              {port.role && haveRoles ? (
                <span className="block text-ink-soft">{machinesWith[port.role]}</span>
              ) : null}
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
  if (audience === "internal") return <span>{"nobody outside"}</span>;
  if (sources.every((source) => source.endsWith("/0"))) return <span>{"everybody"}</span>;
  return <span className="font-mono wrap-anywhere">{sources.join(", ")}</span>;
}
