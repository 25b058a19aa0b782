import * as z from "zod/mini";
import { type OptionDocs, type Options, oneOf } from "../option.ts";
import { numberField, privateRangeField } from "../option-fields.ts";
import { choice } from "../question.ts";

const topologies = [
  choice("single", "One server", "Everything on one machine."),
  choice(
    "cluster",
    "A cluster",
    "Several machines for calls, and a small one, the edge, for certificates and Redis.",
  ),
  choice(
    "balanced",
    "Behind a balancer",
    "Machines that are all alike, a balancer and a Redis of the provider: none of them is the only one.",
  ),
];

const machinesHint = "From 2 to 9, each of the instance type above.";

function severalMachines() {
  return {
    machines: numberField(2, 9, 3),
    network: z._default(privateRangeField, "10.0.0.0/16"),
    egress: numberField(0, 9, 0),
  };
}

/** On how many machines a deployment runs, and how they reach one another. */
export const topologyOptions = {
  topology: {
    onRunningServer: "machines",
    fold: "One server or a cluster",
    pro: { field: "topology.kind", name: "A cluster", listed: "a cluster" },
    field: () =>
      z._default(
        z.discriminatedUnion(
          "kind",
          [
            z.strictObject({ kind: z.literal("single") }),
            z.strictObject({ kind: z.literal("cluster"), ...severalMachines() }),
            z.strictObject({ kind: z.literal("balanced"), ...severalMachines() }),
          ],
          oneOf(topologies),
        ),
        { kind: "single" },
      ),
    questions: [
      { kind: "choice", field: "topology.kind", label: "Servers", choices: topologies },
      {
        kind: "when",
        field: "topology.kind",
        values: ["cluster", "balanced"],
        questions: [
          {
            kind: "text",
            field: "topology.machines",
            label: "Machines for calls",
            type: "number",
            placeholder: "3",
            hint: `${machinesHint} A cluster's edge comes on top: 2 cores are enough for it, and nobody can join without it.`,
          },
          {
            kind: "text",
            field: "topology.network",
            label: "Private network",
            optional: true,
            placeholder: "10.0.0.0/16",
            hint: "The IPv4 range in which the machines, and the balancer, reach one another. Whoever is in it can reach LiveKit and the Redis of an edge.",
          },
          {
            kind: "text",
            field: "topology.egress",
            label: "Machines for recording",
            type: "number",
            optional: true,
            placeholder: "0",
            hint: "With 0 the machines for calls record too. Up to 9 others, of the same instance type, run Egress alone: the 4 cores of a recorded room are then not taken from calls.",
          },
        ],
      },
    ],
  },
} as const satisfies Options;

export const topologyDocs: OptionDocs = {
  topology: "One server, or several machines.",
  "topology.kind": {
    about:
      "single: one machine. cluster: machines for calls and an edge. balanced: machines that are all alike, behind a balancer.",
    values: [
      ["single", "Everything on one machine"],
      [
        "cluster",
        "LiveKit and Egress on each machine for calls; Caddy, certificates and Redis on the edge. Redis on this server, IPv4, no Ingress, SIP, agent, Prometheus, agent insights or proxy of yours",
      ],
      [
        "balanced",
        "Caddy, LiveKit and Egress on each machine, and no machine whose loss stops new calls. It needs a Redis elsewhere, certificates by DNS or from files, and the provider's balancer for 443/tcp. What a cluster does not have, it does not have either",
      ],
    ],
  },
  "topology.machines":
    "How many machines take calls: from 2 to 9. The edge of a cluster comes on top.",
  "topology.egress":
    "How many machines run Egress alone, up to 9; the machines for calls then record nothing. With 0 they record too.",
  "topology.network":
    "The private IPv4 range of the machines. In a cluster LiveKit's and Redis' ports are open to it, behind a balancer the one of its health check.",
};
