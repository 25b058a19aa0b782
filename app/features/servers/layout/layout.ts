/** In what LiveKit runs on a machine that was connected as it was; `none`: it is not found there any more. */
export const layoutKinds = ["compose", "docker", "systemd", "kubernetes", "none"] as const;

/** What such a machine says of its LiveKit beside what every report has. */
type Facts = {
  /** Whether it answers at its own port. */
  answers?: "yes" | "no";
  /** Its API keys; `known` are those of the documentation. */
  keys?: "known" | "short" | "fine";
  /** Whether everybody on the machine may read the file with its keys. */
  readable?: "yes";
  /** Nothing starts it after a reboot. */
  starts?: "no";
  /** Its metrics are off. */
  metrics?: "no";
  /** Whether its events are taken: not yet, at an address that its configuration does not name yet, or yes. */
  sessions?: string;
  /** When the certificate ends that the proxy before it shows, in seconds since 1970. */
  "certificate-ends"?: string;
  /** Why browsers refuse that certificate. */
  "certificate-invalid"?: string;
};

/** How LiveKit runs on a machine, in the machine's own words. */
export type Layout = {
  kind: (typeof layoutKinds)[number];
  /** The Compose file or the unit's file, the container, or namespace and deployment. */
  where: string;
  /** The path of LiveKit's configuration on the machine, or the name of its ConfigMap; empty where it has none. */
  config: string;
  /** What Compose, Docker or systemd calls it. */
  name: string;
  /** Whose it is where it runs without root, by their id. */
  user: string;
  /** docker or podman; empty without containers. */
  tool: string;
  /** The proxy before it; empty where none was found. */
  proxy: string;
  /** As they were sent: what is newer than this release is among them. */
  facts: { readonly [Name in keyof Facts]: string };
};

/** What such a layout is called before its place. */
const kindWords: Readonly<Record<Layout["kind"], string>> = {
  compose: "Docker Compose",
  docker: "a container",
  systemd: "systemd",
  kubernetes: "Kubernetes",
  none: "",
};

/** "LiveKit v1.9.1 in Docker Compose at /opt/livekit/docker-compose.yaml"; undefined where it was not found. */
export function layoutWords(layout: Layout, version: string | undefined): string | undefined {
  const { kind, where, tool, user, proxy } = layout;
  if (kind === "none") return;
  const name = version ? `LiveKit ${version}` : "LiveKit";
  const kindOf = tool === "podman" ? kindWords[kind].replace("Docker", "Podman") : kindWords[kind];
  const before = proxy ? `, behind ${proxy[0]?.toUpperCase()}${proxy.slice(1)}` : "";
  return `${name} in ${kindOf} at ${where}${user ? `, without root (user ${user})` : ""}${before}`;
}

const minuteMs = 60_000;

/** What shows LiveKit's log of five minutes before and after a moment. */
export function logsAround(layout: Layout, at: number): string {
  const { logs } = layoutPlaces(layout);
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  const [from, until] = [time(at - 5 * minuteMs), time(at + 5 * minuteMs)];
  const range = {
    compose: `--since ${from}Z --until ${until}Z`,
    docker: `--since ${from}Z --until ${until}Z`,
    systemd: `--since "${from.replace("T", " ")} UTC" --until "${until.replace("T", " ")} UTC"`,
    kubernetes: `--since-time ${from}Z`,
    none: "",
  }[layout.kind];
  return logs ? logs.replace(/--tail 100|-n 100/, range) : connectedCommands(layout).status;
}

/** What says how the connection is, and what takes it away again: on the machine, or in the cluster. */
export function connectedCommands({ kind }: Pick<Layout, "kind">) {
  return kind === "kubernetes"
    ? {
        status: "kubectl logs -n livekit-connect deployment/livekit-connect",
        removal: "kubectl delete namespace livekit-connect",
      }
    : {
        status: "sudo /opt/livekit-connect/livekit-connect status",
        removal: "sudo /opt/livekit-connect/livekit-connect remove",
      };
}

/** What says on a machine which hash a name has; `deployment` is undefined where it was connected as it was. */
export const findCommand = (deployment: string | undefined): string =>
  deployment === undefined
    ? "sudo /opt/livekit-sessions/livekit-sessions find NAME"
    : "sudo livekit-deploy find NAME";

/** What is not known of a server, why it would be good to know, and what gives it: lines of a file, or a command. */
export type Missing = { title: string; why: string; where: string | undefined; lines: string };

/** `domain`: where people reach it, if it says so. `sessionsCommand`: what installs the program that takes events. */
export function missingOf(
  layout: Layout,
  domain: string | undefined,
  sessionsCommand?: string,
): Missing[] {
  if (layout.kind === "none") return [];
  const isCluster = layout.kind === "kubernetes";
  const name = {
    title: "The name by which people reach it",
    why: `${isCluster ? "Nothing in the cluster that may be read here" : "No file of a proxy"} says it. With it, checks from outside and the certificate are looked at.`,
    where: undefined,
    lines: isCluster
      ? `kubectl patch secret livekit-connect -n livekit-connect --type merge -p '{"stringData":{"domain":"NAME"}}'`
      : "sudo /opt/livekit-connect/livekit-connect domain NAME",
  };
  return [
    ...(layout.facts.metrics === "no" ? [missingMetrics(layout)] : []),
    ...missingSessions(layout, sessionsCommand),
    ...(domain ? [] : [name]),
  ];
}

function missingMetrics(layout: Layout): Missing {
  const { config, restart } = layoutPlaces(layout);
  const title = "Rooms, people and quality";
  const where = config;
  if (layout.kind === "kubernetes") {
    return {
      ...{ title, where },
      why: "LiveKit counts them and says so at a port of its own, which its service has then too. Pods on the host's network open it on their nodes: its firewall must keep it shut.",
      lines: `livekit:\n  prometheus_port: 6789\n# then: ${restart}`,
    };
  }
  // LiveKit opens the port of its metrics at the same addresses as its own. In a container 127.0.0.1 may be its alone.
  const isOnLoopback = layout.kind === "systemd" && layout.proxy !== "";
  return {
    ...{ title, where },
    why: isOnLoopback
      ? "LiveKit counts them and says so at a port of its own. bind_addresses keeps that and the port for your proxy on the machine; calls are not concerned."
      : "LiveKit counts them and says so at a port of its own. The firewall must keep that port shut: the script reads it on the machine.",
    lines: `prometheus:\n  port: 6789\n${isOnLoopback ? "bind_addresses: [127.0.0.1]  # in the place of one that is there\n" : ""}# then: ${restart}`,
  };
}

/** What sessions need: the program first, then the lines that lead LiveKit's events to it. */
function missingSessions(layout: Layout, sessionsCommand: string | undefined): Missing[] {
  const { sessions } = layout.facts;
  const title = "Sessions";
  if (sessions === "no") {
    return sessionsCommand
      ? [
          {
            ...{ title, where: undefined, lines: sessionsCommand },
            why: "Who was in which room, when and why they left. A second program takes LiveKit's events on the machine; of names it sends hashes. It says what it does, and asks first.",
          },
        ]
      : [];
  }
  if (!sessions || !/^[\d.]+:\d+$/.test(sessions)) return [];
  const { config, restart } = layoutPlaces(layout);
  return [
    {
      ...{ title, where: config },
      why: "The program that takes LiveKit's events waits for them: LiveKit has to know its address.",
      lines: `webhook:\n  api_key: YOUR-API-KEY  # one of those under keys\n  urls: [http://${sessions}/events]  # beside those that are there\n# then: ${restart}`,
    },
  ];
}

/** Commands and places of a layout, as findings and advice name them. */
export function layoutPlaces({ kind, where, config, name, user, tool }: Layout) {
  // Whoever runs containers without root does so as themselves.
  const engine = user ? tool : `sudo ${tool}`;
  const [space = "", deployment = ""] = where.split("/");
  // The chart calls them RELEASE-livekit-server, or as the release where that has the chart's name in it.
  const release = deployment.replace(/-livekit-server$/, "");
  const places = {
    compose: {
      logs: `${engine} compose -f ${where} logs --tail 100 ${name}`,
      restart: `${engine} compose -f ${where} up -d --force-recreate ${name}`,
      image: `the image of ${name} in ${where}`,
      start: `write \`restart: unless-stopped\` at ${name} in ${where}`,
    },
    docker: {
      logs: `${engine} logs --tail 100 ${name}`,
      restart: `${engine} restart ${name}`,
      image: `the command that makes ${name}`,
      start: `\`${engine} update --restart unless-stopped ${name}\``,
    },
    systemd: {
      logs: `sudo journalctl -n 100 -u ${name}`,
      restart: `sudo systemctl restart ${name}`,
      image: `the program that ${where} starts`,
      start: `\`sudo systemctl enable ${name}\``,
    },
    kubernetes: {
      logs: `kubectl logs --tail 100 -n ${space} deployment/${deployment}`,
      restart: `helm upgrade ${release} livekit/livekit-server -n ${space} -f values.yaml`,
      image: "image.tag in the values of its chart",
      start: "",
    },
    none: { logs: "", restart: "", image: "", start: "" },
  }[kind];
  const file = kind === "kubernetes" ? "values.yaml of its chart" : where;
  return { ...places, config: config || file };
}
