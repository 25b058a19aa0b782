import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findings } from "~/features/deployments/bundle/findings.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import { complaint, isolatedNetwork } from "../../../support/deployments/debian-tools.ts";

const usual = bundle(optionsFrom({ domain: "livekit.example.com" }));
const doctor = textOf(usual, "doctor.sh");
const codes = Object.keys(findings).sort();

test("the doctor knows every code of the table, and finds no other", () => {
  const found = [...doctor.matchAll(/\bfinding ([a-z0-9]\S*)/g)].map(([, code]) => code);
  expect([...new Set(found)].sort()).toEqual(codes);
  const table = [...doctor.matchAll(/^ {2}(\S+)\) severity=(\S+) next="(.*)" ;;$/gm)];
  expect(table.map(([, code]) => code)).toEqual(Object.keys(findings));
  for (const [, code, severity] of table)
    expect(findings).toMatchObject({ [`${code}`]: { severity } });
  // A shell would take what stands between backticks for a command.
  for (const [, code, , next] of table) expect(next, code).not.toContain("`");
});

test("whatever the doctor asks has at most nine seconds, and what takes time is asked at once", () => {
  const queryCommand =
    /\b(docker (compose|inspect)|curl|openssl s_client|getent|systemctl show|timedatectl show|python3) /;
  const questions = doctor
    .split("\n")
    .filter((line) => queryCommand.test(line.replace(/next="[^"]*"/, "")));
  expect(questions.length).toBeGreaterThan(10);
  for (const line of questions) {
    const [, seconds] = /(?:\btimeout|--max-time) (\d+) /.exec(line) ?? [];
    expect(Number(seconds), line).toBeLessThanOrEqual(9);
    if (!/show -p/.test(line)) expect(line).toMatch(/ &$|\$\(timeout 5 |xargs timeout 4 /);
  }
});

test("codes are words with dots, in the order of the alphabet", () => {
  expect(Object.keys(findings)).toEqual(codes);
  for (const code of codes) expect(code).toMatch(/^[a-z]+(\.[a-z0-9]+)+$/);
});

test("every finding has a title and a next step of its own, with no other fields than the report's", () => {
  for (const field of ["title", "next"] as const) {
    const texts = Object.values(findings).map((finding) => finding[field]);
    expect(new Set(texts).size).toBe(codes.length);
    for (const text of texts) {
      expect(text).toMatch(/^[ -~]{10,150}$/);
      expect(text).not.toMatch(/\.$/);
      expect(text.split("`").length % 2).toBe(1);
      expect(text.replace(/\{(subject|wanted)\}/g, "")).not.toMatch(/[{}]/);
    }
  }
});

test("advice about the disk looks first, and never calls recordings waste; a restart is said to cut calls (M6)", () => {
  for (const code of ["disk.full", "disk.filling"] as const) {
    const { next } = findings[code];
    expect(next).toMatch(/^`sudo du /);
    expect(next).toMatch(
      /recordings in \/opt\/livekit\/out are .*copy them before you remove any$/,
    );
  }
  expect(findings["cert.ending"].next).toMatch(/DNS .*port 80.*rate limit.*cuts calls$/);
  for (const { next } of Object.values(findings)) expect(next).not.toMatch(/`(journalctl|docker) /);
});

test("the README of the bundle lists every code with what it means", () => {
  const rows = [
    ...textOf(usual, "README.md").matchAll(/^\| `(\S+)` \| (warning|critical) \| (.+) \|$/gm),
  ];
  expect(rows.map(([, code, severity, title]) => [code, { severity, title }])).toEqual(
    Object.entries(findings).map(([code, { severity, title }]) => [code, { severity, title }]),
  );
});

/** The lines that the README has against a lost packet, run on a machine of their own in a folder. */
function hairpin(folder: string, state: Record<string, string>, nft = "exit 0") {
  const [, chapter = ""] = textOf(usual, "README.md").split(
    "### When the network brings nothing back",
  );
  const [, lines = ""] = /```sh\n([\s\S]*?)```/.exec(chapter) ?? [];
  const on = (path: string) => join(folder, path);
  const commands = {
    sudo: 'exec "$@"',
    ip: '[ "$5" = 203.0.113.5 ] || exit 1\necho "203.0.113.5 via 10.0.0.1 dev eth0 src 10.0.0.5 uid 0 \\    cache"',
    systemctl: `echo "$*" >>${on("calls")}`,
    nft,
  };
  for (const path of ["commands", "etc/livekit", "etc/systemd/system", "opt/livekit/state"])
    mkdirSync(on(path), { recursive: true });
  for (const [name, body] of Object.entries(commands))
    writeFileSync(on(`commands/${name}`), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  for (const [name, content] of Object.entries(state))
    writeFileSync(on(`opt/livekit/state/${name}`), content);
  const here = lines.replaceAll(/(?<= |>)\/(etc|opt)\//g, `${folder}/$1/`);
  const { status, stderr } = spawnSync("dash", ["-c", here], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${on("commands")}:${process.env.PATH}` },
  });
  const rules = on("etc/livekit/hairpin.nft");
  const calls = existsSync(on("calls")) ? readFileSync(on("calls"), "utf8") : "";
  return { status, stderr, on, calls, rules: existsSync(rules) ? readFileSync(rules, "utf8") : "" };
}

const addressFile = { "address.env": "NODE_IP=203.0.113.5\n" };

test("what the README says against a lost packet writes rules that nft takes, and loads them with the firewall", () => {
  expect(findings["turn.hairpin"].next).toContain("When the network brings nothing back");
  using folder = mkdtempDisposableSync(join(tmpdir(), "hairpin-"));
  const { status, stderr, on, calls, rules } = hairpin(folder.path, addressFile);
  expect([status, stderr]).toEqual([0, ""]);
  expect(rules).toContain("ip daddr 203.0.113.5 meta l4proto udp dnat to 10.0.0.5\n");
  expect(rules).toContain(
    "ip saddr 10.0.0.5 ip daddr 10.0.0.5 ct status dnat snat to 203.0.113.5\n",
  );
  const dropIn = readFileSync(
    on("etc/systemd/system/livekit-firewall.service.d/hairpin.conf"),
    "utf8",
  );
  expect(dropIn).toMatch(
    /^\[Service\]\nExecStart=\/usr\/sbin\/nft -f \S+\/hairpin\.nft\nExecReload=/,
  );
  expect(calls).toBe("daemon-reload\nrestart livekit-firewall\n");
  const network = isolatedNetwork();
  if (!network) return;
  const [command, ...first] = network;
  expect(
    complaint(command, [...first, "nft", "-c", "-f", on("etc/livekit/hairpin.nft")], folder.path),
  ).toBe("");
});

test("where nft may have no network of its own, CI ends red instead of reading no firewall", () => {
  const none: [string][] = [["false"]];
  expect(() => isolatedNetwork(none, true)).toThrow("no network of its own in this CI");
  expect(isolatedNetwork(none, false)).toBeUndefined();
});

test("the hairpin rule has the doctor's address where no provider names one, and without any nothing changes", () => {
  using found = mkdtempDisposableSync(join(tmpdir(), "hairpin-"));
  const line =
    "turn.hairpin\tcritical\tlivekit.example.com\ta packet to 203.0.113.5 did not come back\t\n";
  expect(hairpin(found.path, { "address.env": "", "health-findings": line })).toMatchObject({
    status: 0,
    rules: expect.stringContaining("ip daddr 203.0.113.5 meta l4proto udp dnat to 10.0.0.5\n"),
  });
  const emptyStates: Record<string, string>[] = [
    {},
    { "address.env": "", "health-findings": "" },
    { "address.env": "NODE_IP=2001:db8::5\n" },
    { "address.env": "NODE_IP=198.51.100.7\n" },
  ];
  for (const state of emptyStates) {
    using folder = mkdtempDisposableSync(join(tmpdir(), "hairpin-"));
    const { status, stderr, rules, calls } = hairpin(folder.path, state);
    expect(stderr).toContain("The public IPv4 address is not known. Write NODE_IP=ADDRESS into");
    expect([status, rules, calls]).toEqual([1, "", ""]);
  }
  using refused = mkdtempDisposableSync(join(tmpdir(), "hairpin-"));
  expect(hairpin(refused.path, addressFile, "exit 1")).toMatchObject({
    status: 1,
    rules: "",
    calls: "",
  });
});

test("no advice ends calls unsaid: a restart waits for a quiet moment", () => {
  const bare = Object.entries(findings).filter(([, { next }]) =>
    /systemctl (restart|reload) livekit(?!-)/.test(next),
  );
  // After an interrupted restore LiveKit does not run.
  expect(bare.map(([code]) => code)).toEqual(["restore.interrupted"]);
});
