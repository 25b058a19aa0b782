// Where certificates come from, against an authority that checks the machine as Let's Encrypt does.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { call } from "./call.ts";
import type { Machine } from "./machine/machine.ts";
import { keyOf, startMachine } from "./running.ts";

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
