import { fromWire } from "~/features/servers/pages/wire";
import { exposition, expositionTypes, wantsOpenMetrics } from "../exposition";
import { type Outcome, operation } from "./operation";

export const metricsOperations = [
  operation({
    ...{ method: "GET", path: "/metrics", id: "getMetrics", tag: "Servers" },
    summary: "The figures of all servers now, as Prometheus reads them",
    description:
      "The text format 0.0.4, or OpenMetrics 1.0 where `Accept` asks for it. Of a server that has not reported for ten minutes there is whether it is up and when it last reported, and no figure.",
    ...{ scope: "servers:read", params: {}, query: {}, status: 200, problems: [] },
    text: ["text/plain", "application/openmetrics-text"],
    async run({ call, sources: { fleets } }): Promise<Outcome> {
      const { servers } = await fleets.figures(call.token.workspace);
      const isOpenMetrics = wantsOpenMetrics(call.accept);
      return {
        value: exposition(servers.map(fromWire), isOpenMetrics),
        headers: {
          "content-type": isOpenMetrics ? expositionTypes.openMetrics : expositionTypes.text,
          vary: "authorization, accept",
        },
      };
    },
  }),
];
