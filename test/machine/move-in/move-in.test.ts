import { expect, test, vi } from "vitest";
import { codeBlocks } from "../../support/documentation/code-blocks.ts";
import { cases, type LayoutName, machineOf } from "../../support/move-in/layouts.ts";
import { secret } from "../../support/servers/layouts/layout-texts.ts";

vi.setConfig({ testTimeout: 120_000 });

const names = Object.keys(cases) as LayoutName[];
const all = [
  ...names.map((name) => [name, "dash"] as const),
  // The smallest shell that machines have, where files of theirs have our names, and where they have our folder.
  ["a unit of systemd", "busybox sh"] as const,
  ["livekit/deploy with its unit", "busybox sh"] as const,
];

test.for(all)(
  "%s is moved in with its key and moved out, and everything is as before, under %s",
  ([name, shell]) => {
    using machine = machineOf(name);
    const before = { tree: machine.tree(), state: machine.state() };

    const shown = machine.moveIn(["--show"], { shell });
    expect(shown.output).toContain(`API keys that ours takes: ${cases[name].key}`);
    expect(shown.status).toBe(0);
    expect({ tree: machine.tree(), state: machine.state() }).toEqual(before);

    const moved = machine.moveIn([], { shell });
    expect(moved.output).toContain("Moved in.");
    expect(moved.status).toBe(0);
    expect(machine.read("opt/livekit/secrets.env")).toContain(
      `LIVEKIT_API_KEY='${cases[name].key}'\nLIVEKIT_API_SECRET='${secret}'\n`,
    );
    expect(machine.mode("opt/livekit/secrets.env")).toBe("600");
    expect(machine.state()).toMatchObject({ units: [], ours: true, firewall: true });
    for (const text of Object.values(machine.state().containers))
      expect(text).toMatch(/"Status": "exited"[\s\S]*"Name": "no"|registry.example.net/);
    expect(machine.has("etc/systemd/system/livekit-move-in.service")).toBe(false);
    expect(machine.readZip("firewall.nft")).toBe(machine.read("etc/livekit/firewall.nft"));

    machine.write("opt/livekit/out/lesson.mp4", "recorded\n");
    machine.write("var/backups/livekit/livekit-1.tar.gz", "saved\n");
    machine.write("etc/docker/daemon.json", '{ "mtu": 1400 }\n');
    machine.write("etc/systemd/system/livekit-later.timer", "[Timer]\n");
    const out = machine.moveOut({ shell });
    expect(out.output).toContain("its 1 recording, 1 backup go to a folder of their own");
    expect(out.output).toContain("What was here before is back, and runs.");
    expect(out.status).toBe(0);
    const [, aside = ""] = /is in (\/opt\/livekit\.moved-out-[\d-]+):/.exec(out.output) ?? [];
    expect(machine.read(`${aside}/out/lesson.mp4`)).toBe("recorded\n");
    expect(machine.read(`${aside}/backups/livekit-1.tar.gz`)).toBe("saved\n");
    expect(machine.read(`${aside}/system/etc/docker/daemon.json`)).toContain("1400");
    expect(machine.has(`${aside}/system/etc/systemd/system/livekit-later.timer`)).toBe(true);
    const rest = machine.tree().filter((line) => !line.includes(` ${aside.slice(1)}`));
    expect(rest).toEqual(before.tree);
    expect(machine.state()).toEqual(before.state);

    for (const text of [
      shown.output,
      moved.output,
      out.output,
      machine.calls(),
      machine.read("var/lib/livekit-move-in/log"),
    ])
      expect(text).not.toContain(secret);
  },
);

test("the commands of the page are done by the machine that somebody has", () => {
  using machine = machineOf("a container of Docker");
  const commands = codeBlocks("docs/move-in")
    .filter(({ label }) => label.startsWith("On your machine"))
    .map(({ text }) => text)
    .join("\n");
  expect(commands.match(/^sudo .*/gm)).toEqual([
    "sudo sh move-in.sh --show",
    "sudo sh move-in.sh",
    "sudo livekit-deploy move-out",
  ]);
  machine.bringZip("livekit.example.com-v2.zip");
  // Each question is answered by one line.
  const { status, output } = machine.type(commands, "yes\nyes\n");
  expect(output).toContain("What was here before is back, and runs.");
  expect(status).toBe(0);
});
