import type { Container } from "./layout-machine.ts";

export type Service = {
  name: string;
  image: string;
  args?: readonly string[];
  mounts?: Readonly<Record<string, string>>;
  labels?: Readonly<Record<string, string>>;
  env?: readonly string[];
  network?: string;
  ports?: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[]>>;
  restart?: string;
  state?: string;
  path?: string;
};

/** A container as `docker inspect` has it, with more in it than the script may take. */
export function container(service: Service): Container {
  const { name, image, args = [], mounts = {}, labels = {}, env = [], ports = {} } = service;
  const { network = "host", restart = "unless-stopped", state = "running" } = service;
  return {
    Id: Buffer.from(name).toString("hex").padEnd(64, "0"),
    Created: "2026-03-02T09:12:44.123456789Z",
    Path: service.path ?? "/livekit-server",
    Args: args,
    State: { Status: state, Running: state === "running", Pid: 1234, ExitCode: 0 },
    Image: `sha256:${"a".repeat(64)}`,
    Name: `/${name}`,
    HostConfig: {
      NetworkMode: network,
      RestartPolicy: { Name: restart, MaximumRetryCount: 0 },
      LogConfig: { Type: "json-file", Config: {} },
    },
    Mounts: Object.entries(mounts).map(([Destination, Source]) => ({
      ...{ Type: "bind", Source, Destination, Mode: "", RW: true, Propagation: "rprivate" },
    })),
    Config: {
      Hostname: "customer-host-1",
      Env: [...env, "PATH=/usr/local/sbin:/usr/local/bin", "DATABASE_PASSWORD=hunter2hunter2"],
      Image: image,
      Labels: labels,
    },
    NetworkSettings: {
      Ports: ports,
      Networks: {
        [network]:
          network === "host"
            ? { IPAddress: "", Gateway: "" }
            : { IPAddress: "127.0.0.1", Gateway: "127.0.0.2" },
      },
    },
  };
}

/** The services of a Compose file, with the labels that Compose gives them. */
export function composed(
  file: string,
  services: readonly Service[],
  project = "livekit",
): Container[] {
  const folder = file.slice(0, file.lastIndexOf("/"));
  return services.map((service) =>
    container({
      ...service,
      name: `${project}-${service.name}-1`,
      labels: {
        "com.docker.compose.project": project,
        "com.docker.compose.service": service.name,
        "com.docker.compose.project.config_files": file,
        "com.docker.compose.project.working_dir": folder,
        ...service.labels,
      },
    }),
  );
}
