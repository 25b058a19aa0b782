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
];

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
            z.strictObject({
              kind: z.literal("cluster"),
              machines: numberField(2, 9, 3),
              network: z._default(privateRangeField, "10.0.0.0/16"),
            }),
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
        values: ["cluster"],
        questions: [
          {
            kind: "text",
            field: "topology.machines",
            label: "Machines for calls",
            type: "number",
            hint: "From 2 to 9, each of the instance type above. The edge comes on top: 2 cores are enough for it, and it is the one machine whose loss stops new calls.",
          },
          {
            kind: "text",
            field: "topology.network",
            label: "Private network",
            placeholder: "10.0.0.0/16",
            hint: "The IPv4 range in which the machines reach one another. Whoever is in it can reach LiveKit and Redis.",
          },
        ],
      },
    ],
  },
} as const satisfies Options;

export const topologyDocs: OptionDocs = {
  topology: "One server, or a cluster of several.",
  "topology.kind": {
    about: "single: one machine. cluster: machines for calls and an edge.",
    values: [
      ["single", "Everything on one machine"],
      [
        "cluster",
        "LiveKit and Egress on each machine for calls; Caddy, certificates and Redis on the edge. Redis on this server, IPv4, no Ingress, SIP, agent, Prometheus, agent insights or proxy of yours",
      ],
    ],
  },
  "topology.machines": "How many machines take calls: from 2 to 9. The edge comes on top.",
  "topology.network":
    "The private IPv4 range of the machines. LiveKit's and Redis' ports are open to it.",
};
