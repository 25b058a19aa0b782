// Where certificates come from, against an authority that checks the machine as Let's Encrypt does.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, inject, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { call, startCall } from "./call.ts";
import type { Machine } from "./machine/machine.ts";
import { keyOf, startMachine } from "./running.ts";
import { ran } from "./world/commands.ts";
import { dnsProvider } from "./world/dns-provider.ts";
import { address } from "./world/network.ts";

/** The names that have a certificate of an authority, as Caddy keeps them. */
const issuedBy = async (machine: Machine, authority: string) =>
  (await machine.run(`ls /opt/livekit/data/caddy/certificates/${authority}`)).output
    .split("\n")
    .filter((name) => name.endsWith("example.com"));

const names = ["livekit.example.com", "turn.livekit.example.com"];

test("certificates: the second authority issues while the first limits, and the doctor knows until when", async () => {
  await using running = await startMachine();
  const { machine, world } = running;
  const limit = (authority: string) => join(world.limits, authority);
  const sentence =
    "too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2099-12-02 03:11:50 UTC: see https://letsencrypt.org/docs/rate-limits/";
  for (const authority of ["acme-v02.api.letsencrypt.org", "acme.zerossl.com"])
    writeFileSync(limit(authority), sentence);
  await machine.firstBoot();
  const { output } = await pollUntil(
    () => machine.run("livekit-deploy doctor --report"),
    ({ output }) => output.includes("cert.limited"),
    60_000,
  );
  for (const name of names)
    expect(output).toContain(
      `cert.limited\tcritical\t${name}\tnone is shown, and the authority gives none before 2099-12-02 03:11:50 UTC\t2099-12-02 03:11:50 UTC\n`,
    );

  rmSync(limit("acme.zerossl.com"));
  await machine.done("livekit-deploy restart caddy --now");
  expect(
    await pollUntil(
      () => issuedBy(machine, "acme.zerossl.com-v2-dv90"),
      (issued) => issued.length === names.length,
      60_000,
    ),
  ).toEqual(names);
  expect(await issuedBy(machine, "acme-v02.api.letsencrypt.org-directory")).toEqual([]);
  const { heard, output: said } = await call(world, await keyOf(machine));
  expect(heard, said).toBe(true);
  expect((await machine.run("livekit-deploy doctor --report")).output).not.toContain("cert.");
});

/** The doctor's findings about certificates. */
const findings = async (machine: Machine) =>
  (await machine.run("livekit-deploy doctor --report")).output
    .split("\n")
    .filter((line) => line.startsWith("cert."));

test("certificates: by a DNS provider, with port 80 shut, and renewed while a call goes on", async () => {
  await using running = await startMachine({}, { answers: { certificates: "dns-digitalocean" } });
  const { machine, world } = running;
  await machine.firstBoot();
  expect(await findings(machine)).toContain(
    "cert.dns.credentials\twarning\tdns.env\tDO_AUTH_TOKEN is missing\t",
  );
  // What of the real world is not here: servers for the zone, in which a record is waited for.
  const resolvers = `LEGO_DNS_RESOLVERS=${address.outside.four}:${dnsProvider.port}`;
  await machine.done(
    `umask 077 && printf '%s\n' ${resolvers} LEGO_DNS_PROPAGATION_WAIT=1s >/opt/livekit/dns.env`,
  );
  const refused = await machine.run("livekit-deploy set dns-credentials", "another-token\n");
  expect(refused.status).toBe(1);
  expect(await findings(machine)).toContainEqual(
    expect.stringMatching(
      /^cert\.dns\tcritical\tlivekit\.example\.com\tnone is shown: .*Unauthorized/,
    ),
  );
  await machine.done("livekit-deploy set dns-credentials", `${dnsProvider.token}\n`);
  expect(await findings(machine)).toEqual([]);
  expect(await machine.done("nft list table inet livekit")).not.toMatch(/\b80\b/);

  const key = await keyOf(machine);
  world.network.letThrough("443-only");
  await using ongoing = await startCall(world, key);
  await machine.done("echo LEGO_RENEW_FORCE=true >>/opt/livekit/dns.env");
  const shown = () =>
    machine.done(
      "openssl s_client -connect 127.0.0.1:443 -servername turn.livekit.example.com </dev/null 2>/dev/null | openssl x509 -noout -serial",
    );
  const before = await shown();
  await machine.done("systemctl start livekit-certificate.service");
  expect(await shown()).not.toBe(before);
  const { silenceMs, left } = await ongoing.end();
  expect(left).toBe("");
  expect(silenceMs).toBeLessThan(1000);
  expect(await findings(machine)).toEqual([]);
});

test("certificates: a person's own, taken while a call goes on", async () => {
  await using running = await startMachine({}, { answers: { certificates: "files" } });
  const { machine, world } = running;
  const { authority, keyFile } = inject("media");
  await machine.firstBoot();
  expect(await findings(machine)).toEqual(
    names.map((name) => `cert.files\tcritical\t${name}\tnone is shown\t`),
  );
  // The client trusts the root of pebble, and now the authority of the run too.
  writeFileSync(world.trusted, world.roots + authority);
  const folder = dirname(keyFile);
  const take = async (name: string) => {
    const file = (end: string) => join(world.folder, `${name}.${end}`);
    ran([
      ...["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
      ...["-keyout", file("key"), "-out", file("csr"), "-subj", "/CN=own"],
    ]);
    writeFileSync(file("cnf"), `subjectAltName=${names.map((each) => `DNS:${each}`)}`);
    ran([
      ...["openssl", "x509", "-req", "-in", file("csr"), "-days", "60", "-CAcreateserial"],
      ...["-CA", join(folder, "authority.pem"), "-CAkey", join(folder, "authority.key")],
      ...["-extfile", file("cnf"), "-out", file("pem")],
    ]);
    for (const end of ["pem", "key"])
      await machine.done(`umask 077 && cat >/root/${name}.${end}`, readFileSync(file(end), "utf8"));
    return machine.done(`cd /root && livekit-deploy certificate ${name}.pem ${name}.key`);
  };
  expect(await take("first")).toContain("Caddy has it now");
  expect(await findings(machine)).toEqual([]);
  world.network.letThrough("443-only");
  await using ongoing = await startCall(world, await keyOf(machine));
  expect(await take("second")).toContain("Caddy has it now");
  const { silenceMs, left } = await ongoing.end();
  expect(left).toBe("");
  expect(silenceMs).toBeLessThan(1000);
});
