import type { ServerFigures } from "~/features/servers/pages/server-view";

// The figures of a fleet as Prometheus reads them: the text format 0.0.4 and OpenMetrics 1.0, which differ here in their
// end alone, because every figure is a gauge.

/** A figure of a server; undefined where it is not known, and then it is left out. */
type Gauge = {
  name: string;
  help: string;
  value(server: ServerFigures): number | undefined;
};
type Labels = Readonly<Record<string, string>>;
type Family = { name: string; help: string; samples: { labels: Labels; value: number }[] };

const prefix = "livekit_deploy_";

/** Whether it reports and its LiveKit answers, as far as the console knows. */
const upStates: readonly string[] = ["healthy", "degraded", "updating"];
const bit = (is: boolean): number => Number(is);
const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
const times = (value: number | undefined, factor: number) =>
  value === undefined ? undefined : value * factor;

const gauges: readonly Gauge[] = [
  {
    name: "server_up",
    help: "1 while the server reports and its LiveKit answers.",
    value: ({ state }) => bit(upStates.includes(state.code)),
  },
  {
    name: "server_healthy",
    help: "1 while the console calls the server healthy: it is up, and nothing is wrong with it.",
    value: ({ state }) => bit(state.code === "healthy"),
  },
  {
    name: "server_maintenance",
    help: "1 while the server is in a maintenance window.",
    value: ({ maintenanceUntil }) => bit(maintenanceUntil !== undefined),
  },
  {
    name: "server_last_report_timestamp_seconds",
    help: "When the last report came, in seconds since 1970. Its age is time() minus this.",
    value: ({ lastReportAt }) => seconds(lastReportAt),
  },
  {
    name: "server_rooms",
    help: "Rooms of the server.",
    value: ({ latest }) => latest?.rooms,
  },
  {
    name: "server_participants",
    help: "Participants in rooms of the server.",
    value: ({ latest }) => latest?.participants,
  },
  {
    name: "server_tracks_published",
    help: "Tracks that participants publish.",
    value: ({ latest, tracks }) => latest && tracks.published,
  },
  {
    name: "server_tracks_subscribed",
    help: "Tracks that participants subscribe to.",
    value: ({ latest, tracks }) => latest && tracks.subscribed,
  },
  {
    name: "server_recordings",
    help: "Recordings and streams that run.",
    value: ({ latest }) => latest?.recordings,
  },
  {
    name: "server_failed_joins_per_minute",
    help: "Joins that failed, a minute.",
    value: ({ latest }) => latest?.failedJoins,
  },
  {
    name: "server_packet_loss_ratio",
    help: "Packets that LiveKit counts as lost, of all: 0 to 1.",
    value: ({ latest }) => times(latest?.loss, 0.01),
  },
  {
    name: "server_jitter_seconds",
    help: "The mean jitter of packets.",
    value: ({ latest }) => times(latest?.jitter, 0.001),
  },
  {
    name: "server_cpu_usage_ratio",
    help: "Processor time in use, of all: 0 to 1.",
    value: ({ latest }) => times(latest?.cpu, 0.01),
  },
  {
    name: "server_cpus",
    help: "Processors of the machine.",
    value: ({ latest, capacity }) => latest && capacity.cpus,
  },
  {
    name: "server_load1",
    help: "The machine's load average over one minute.",
    value: ({ latest }) => latest?.load,
  },
  {
    name: "server_memory_used_bytes",
    help: "Memory in use.",
    value: ({ latest }) => times(latest?.memory, 1024),
  },
  {
    name: "server_memory_size_bytes",
    help: "Memory of the machine.",
    value: ({ latest, capacity }) => latest && times(capacity.memory, 1024),
  },
  {
    name: "server_disk_used_bytes",
    help: "The part of the disk that is in use.",
    value: ({ latest }) => times(latest?.disk, 1024),
  },
  {
    name: "server_disk_size_bytes",
    help: "The disk of the machine.",
    value: ({ latest, capacity }) => latest && times(capacity.disk, 1024),
  },
  {
    name: "server_network_receive_bytes_per_second",
    help: "What the machine receives.",
    value: ({ latest }) => latest?.in,
  },
  {
    name: "server_network_transmit_bytes_per_second",
    help: "What the machine sends.",
    value: ({ latest }) => latest?.out,
  },
];

const namesOf = ({ id, name }: ServerFigures): Labels => ({ server: id, name });

function familiesOf(servers: readonly ServerFigures[]): Family[] {
  return [
    {
      name: "servers",
      help: "Servers that are connected.",
      samples: [{ labels: {}, value: servers.length }],
    },
    {
      name: "server_info",
      help: "What a server is, in its labels: of which deployment and version its files are, and which LiveKit it runs.",
      samples: servers.map((server) => ({
        labels: {
          ...namesOf(server),
          ...{ domain: server.domain ?? "", deployment: server.deployment ?? "" },
          version: server.madeFrom ? String(server.madeFrom.version) : "",
          ...{ livekit_version: server.release ?? "", state: server.state.code },
        },
        value: 1,
      })),
    },
    {
      name: "server_incidents_open",
      help: "1 where the server has an open incident of that severity: page wakes somebody, notify waits.",
      samples: servers.flatMap((server) =>
        (["page", "notify"] as const).map((severity) => ({
          labels: { ...namesOf(server), severity },
          value: bit(server.incident?.severity === severity),
        })),
      ),
    },
    ...gauges.map(({ name, help, value }) => ({
      ...{ name, help },
      samples: servers.flatMap((server) => {
        const known = value(server);
        return known === undefined ? [] : [{ labels: namesOf(server), value: known }];
      }),
    })),
  ];
}

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

function labelsOf(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return all.length === 0 ? "" : `{${all.join(",")}}`;
}

/** The families, each with its HELP and TYPE; one of which nothing is known is left out. */
export function exposition(servers: readonly ServerFigures[], isOpenMetrics: boolean): string {
  const lines = familiesOf(servers)
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, samples }) => [
      `# HELP ${prefix}${name} ${help}`,
      `# TYPE ${prefix}${name} gauge`,
      ...samples.map(({ labels, value }) => `${prefix}${name}${labelsOf(labels)} ${value}`),
    ]);
  return `${[...lines, ...(isOpenMetrics ? ["# EOF"] : [])].join("\n")}\n`;
}

export const expositionTypes = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const;

/** Whether a caller would rather have OpenMetrics: it names it, and with no less weight than plain text. */
export function wantsOpenMetrics(accept: string | null): boolean {
  const weights = new Map(
    (accept ?? "").split(",").map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const weight = parameters.find((each) => each.startsWith("q="))?.slice(2);
      return [type.toLowerCase(), weight === undefined ? 1 : Number(weight) || 0] as const;
    }),
  );
  const wanted = weights.get("application/openmetrics-text") ?? 0;
  return wanted > 0 && wanted >= (weights.get("text/plain") ?? 0);
}
