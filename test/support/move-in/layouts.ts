import { layouts } from "../servers/layouts/layouts.ts";
import { type Listener, moveInMachine } from "./machine.ts";

const group = (name: string) =>
  `/system.slice/docker-${Buffer.from(name).toString("hex").padEnd(64, "0")}.scope`;
const ssh: Listener = ["0.0.0.0:22/tcp", "sshd", 50, "/system.slice/ssh.service"];
/** Of livekit/deploy's containers, which use the host's network. */
const deployed: readonly Listener[] = [
  ssh,
  ["*:443/tcp", "caddy", 101, group("livekit-caddy-1")],
  ["*:80/tcp", "caddy", 101, group("livekit-caddy-1")],
  ["*:7880/tcp", "livekit-server", 102, group("livekit-livekit-1")],
  ["*:7881/tcp", "livekit-server", 102, group("livekit-livekit-1")],
  ["0.0.0.0:3478/udp", "livekit-server", 102, group("livekit-livekit-1")],
  ["127.0.0.1:6379/tcp", "redis-server", 103, group("livekit-redis-1")],
];
const behindNginx = (user: string): readonly Listener[] => [
  ssh,
  ["*:443/tcp", "nginx", 90, "/system.slice/nginx.service"],
  ["*:80/tcp", "nginx", 90, "/system.slice/nginx.service"],
  ["*:7880/tcp", "livekit-server", 102, user],
  ["*:7881/tcp", "livekit-server", 102, user],
  ["0.0.0.0:3478/udp", "livekit-server", 102, user],
  // Whatever ours opens is listened on, so that the doctor has nothing to say.
  ["127.0.0.1:8443/tcp", "caddy", 102, user],
];

type Case = {
  /** Its name among those that are connected as they are. */
  layout: string;
  units?: readonly string[];
  listeners: readonly Listener[];
  options?: Record<string, unknown>;
  key: string;
};

export const cases = {
  "livekit/deploy with its unit": {
    layout: "livekit/deploy, first generation",
    units: ["livekit-docker.service"],
    listeners: deployed,
    key: "APIw7nRkVq2LmXe",
  },
  "a Compose file in /opt/livekit": {
    layout: "livekit/deploy, second generation, with Egress and Ingress",
    listeners: deployed,
    key: "APIw7nRkVq2LmXe",
  },
  "a unit of systemd": {
    layout: "systemd behind nginx",
    listeners: behindNginx("/system.slice/livekit.service"),
    options: { proxy: "existing" },
    key: "APIsystemd",
  },
  "a container of Docker": {
    layout: "plain Docker behind nginx",
    listeners: behindNginx(group("livekit-server")),
    options: { proxy: "existing" },
    key: "APIplain",
  },
} satisfies Record<string, Case>;

export type LayoutName = keyof typeof cases;

/** A machine with one of these layouts; `change` makes it another before anything runs. */
export function machineOf(name: LayoutName, change: Partial<Case> = {}) {
  const it: Case = { ...cases[name], ...change };
  const layout = layouts[it.layout];
  if (!layout) throw new Error(name);
  const made = layout({ livekit: 7880, metrics: 6789, tls: 443 });
  return moveInMachine({ ...made, units: it.units ?? made.units ?? [] }, it.listeners, it.options);
}
