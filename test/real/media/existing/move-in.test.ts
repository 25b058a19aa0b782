// Moving in on a machine whose systemd and Docker run a LiveKit that somebody made, and back to exactly what was there.
import { afterAll, beforeAll, expect, test } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { call, type Key } from "../call.ts";
import { keyOf, type Running, startMachine } from "../running.ts";
import { address } from "../world/network.ts";

const key: Key = { key: "APItheirs", secret: "Jx9fQm2bT7wLkR4vYp8sZc3nHd6gUa1eXo5iMt0q" };

const configuration = `port: 7880
rtc:
  tcp_port: 7881
  port_range_start: 50000
  port_range_end: 50200
  use_external_ip: false
  node_ip: ${address.machine.public}
redis:
  address: 127.0.0.1:6379
keys:
  ${key.key}: ${key.secret}
`;

const image = (component: keyof typeof pinned) =>
  `${pinned[component].image}:${pinned[component].tag}`;

const compose = `services:
  livekit:
    image: ${image("livekit")}
    command: [/livekit-server, --config, /etc/livekit.yaml]
    network_mode: host
    restart: unless-stopped
    volumes:
      - ./livekit.yaml:/etc/livekit.yaml:ro
  redis:
    image: ${image("redis")}
    command: [redis-server, --bind, 127.0.0.1]
    network_mode: host
    restart: unless-stopped
`;

/** Starts Compose in the foreground, as the unit of livekit/deploy does. */
const unit = `[Unit]
Description=LiveKit Server Container
After=docker.service
Requires=docker.service
[Service]
Restart=always
WorkingDirectory=/opt/livekit
ExecStartPre=docker compose down
ExecStart=docker compose up
ExecStop=docker compose down
[Install]
WantedBy=multi-user.target
`;

let running: Running;
const done = (command: string, input?: string) => running.machine.done(command, input);
const write = (path: string, content: string) =>
  done(`mkdir -p "$(dirname ${path})" && cat >${path}`, content);

/** Every file, folder and link where ours writes: mode, owner and what is in it. */
const tree = () =>
  done(`cd / && find etc opt srv usr/bin usr/local -xdev ! -path 'opt/livekit.moved-out-*' -printf '%M %U:%G %p %l\\n' | sort
find etc opt srv usr/local -xdev -type f ! -path 'opt/livekit.moved-out-*' -exec sha256sum {} + | sort -k 2
nft -s list ruleset; systemctl list-unit-files --no-legend 'livekit*' 'docker.*'; sysctl -a 2>/dev/null | grep -E '^net[.](core|ipv4[.]ip_local)' | sort`);

/** What is there in the one and not in the other. */
const differences = (before: string, after: string): string[] => {
  const [former, latter] = [before.split("\n"), after.split("\n")];
  return [
    ...former.filter((line) => !latter.includes(line)).map((line) => `- ${line}`),
    ...latter.filter((line) => !former.includes(line)).map((line) => `+ ${line}`),
  ];
};

const answers = () =>
  done(
    "for i in 1 2 3 4 5 6 7 8 9 10; do curl -fs http://127.0.0.1:7880/ && exit 0; sleep 1; done; exit 1",
  );

beforeAll(async () => {
  running = await startMachine({}, { hasDeployment: false });
  await done("systemctl enable --now docker.service");
  await running.machine.bring({ answers: {}, connection: undefined });
  await done(
    "python3 -m zipfile -e /root/bundle.zip /root/bundle && mv /root/bundle/* /root/files",
  );
});
afterAll(() => running?.[Symbol.asyncDispose]());

const layouts = {
  "a Compose file": {
    async start() {
      await write("/srv/live/docker-compose.yaml", compose);
      await write("/srv/live/livekit.yaml", configuration);
      await done("cd /srv/live && docker compose up -d");
    },
    end: () => done("cd /srv/live && docker compose down && rm -rf /srv/live"),
  },
  "livekit/deploy's folder and unit": {
    async start() {
      await write("/opt/livekit/docker-compose.yaml", compose);
      await write("/opt/livekit/livekit.yaml", configuration);
      await write("/etc/systemd/system/livekit-docker.service", unit);
      await done("systemctl daemon-reload && systemctl enable --now livekit-docker.service");
    },
    end: () => done("systemctl disable --now livekit-docker.service"),
  },
};

test.for(Object.entries(layouts))(
  "ours takes the place of a LiveKit by %s with its keys, media arrives over TURN, and the way back ends at exactly what was there",
  async ([, layout]) => {
    await layout.start();
    await answers();
    const before = await tree();
    const shown = await done("cd /root/files && sh move-in.sh --show");
    expect(shown).toContain(key.key);
    expect(shown).not.toContain(key.secret);
    expect(differences(before, await tree())).toEqual([]);

    const moved = await done("cd /root/files && sh move-in.sh", "yes\n");
    expect(moved).toContain("Moved in.");
    expect(moved).not.toContain(key.secret);
    expect(await keyOf(running.machine)).toEqual(key);
    for (const servers of ["udp", "tls"] as const) {
      const { heard, report, output } = await call(running.world, key, { servers, relay: true });
      expect(heard, output).toBe(true);
      expect(report?.subscriber).toMatchObject({ local: "relay", relay: servers });
    }

    expect(await done("livekit-deploy move-out --now", "yes\n")).not.toContain(key.secret);
    await answers();
    expect(differences(before, await tree())).toEqual([]);
    await layout.end();
  },
);
