import { listening } from "../../../../fakes/machine/machine-folder.ts";
import { type Machine, runningMachine } from "../machine.ts";

/** What its machines are made of, if a test does not say otherwise. */
export const clusterOptions = {
  topology: { kind: "cluster", machines: 2, network: "10.0.0.0/16" },
  recording: { kind: "local" },
} as const;

export const edgeAddress = "10.0.0.2";

type Place = { name: string; address: string; publicAddress: string };

/** A machine of a cluster whose first boot has ended, and that has no role yet. */
export function machineWithoutRole(place: Place, typed: Record<string, unknown> = {}): Machine {
  const made = runningMachine({ ...clusterOptions, ...typed });
  made.set(
    "addresses",
    `1: lo    inet 127.0.0.1/8 scope host lo
2: eth0    inet ${place.publicAddress}/24 brd 203.0.113.255 scope global eth0
3: ens10    inet ${place.address}/32 scope global ens10
4: docker0    inet 10.0.250.1/24 scope global docker0
`,
  );
  made.set("public-address", place.publicAddress);
  for (const name of ["livekit.example.com", "turn.livekit.example.com"])
    made.set(`address-${name}`, `${places.edge.publicAddress} STREAM ${name}\n`);
  made.command("uname", `echo ${place.name}`);
  made.write(
    "opt/livekit/state/address.env",
    `NODE_IP=${place.publicAddress}\nLIVEKIT_RTC_USE_EXTERNAL_IP=false\n`,
  );
  made.command(
    "sudo",
    '[ "$1" != livekit-deploy ] || { shift; set -- "$LIVEKIT_DEPLOY_ROOT/usr/bin/livekit-deploy" "$@"; }\nexec "$@"',
  );
  made.set("listening-tcp", listening(["*:443", "0.0.0.0:7881", `${place.address}:6379`]));
  setPeople(made, 0);
  made.forget();
  return made;
}

/** How many are in calls on a machine, as its LiveKit's own figures say. */
export function setPeople(server: Machine, people: number): void {
  server.set("people", String(people));
  server.set(
    "livekit-metrics",
    `livekit_participant_total{node_id="ND_1",node_type="SERVER"} ${people}\n`,
  );
}

/** A clock that only a pause of five seconds moves, by a minute, and what happens after so many of its seconds. */
export function setClock(server: Machine, events: Readonly<Record<number, string>> = {}) {
  server.set("clock", "0");
  server.command(
    "date",
    'case "$*" in +%s) cat "$MACHINE/clock" ;; *) exec /bin/date "$@" ;; esac',
  );
  const cases = Object.entries(events).map(([at, action]) => `${at}) ${action} ;;`);
  server.command(
    "sleep",
    `[ "$1" = 5 ] || exec /bin/sleep "$1"
now=$(($(cat "$MACHINE/clock") + 60)); echo "$now" >"$MACHINE/clock"
case $now in ${cases.join("\n")} *) ;; esac`,
  );
  server.forget();
}

export const places = {
  edge: { name: "Edge", address: edgeAddress, publicAddress: "203.0.113.2" },
  one: { name: "media-1", address: "10.0.0.3", publicAddress: "203.0.113.3" },
  two: { name: "media-2.example.com", address: "10.0.0.4", publicAddress: "203.0.113.4" },
} as const satisfies Record<string, Place>;

export const cluster = (server: Machine, ...args: readonly string[]) =>
  server.run("livekit-deploy", ["cluster", ...args]);

/** A machine that has become the edge. */
export function edgeMachine(typed: Record<string, unknown> = {}): Machine {
  const made = machineWithoutRole(places.edge, typed);
  const { status, output } = cluster(made, "edge");
  if (status !== 0) throw new Error(output);
  return made;
}

/** A machine for calls that has joined an edge, by the secrets of that one. */
export function mediaMachine(
  secrets: string,
  typed: Record<string, unknown> = {},
  place: Place = places.one,
): Machine {
  const made = machineWithoutRole(place, typed);
  const { status, output } = made.run("livekit-deploy", ["cluster", "join", edgeAddress], secrets);
  if (status !== 0) throw new Error(output);
  return made;
}

/** Secrets as an edge has them, for a test that needs no edge. */
export const someSecrets = `LIVEKIT_API_KEY=APIabcdefghijkl
LIVEKIT_API_SECRET=${"s".repeat(43)}
REDIS_PASSWORD=${"p".repeat(43)}
`;
