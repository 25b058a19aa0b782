import * as z from "zod/mini";
import { bootId, instanceId, machineId } from "~/features/servers/fleet/report";

const enrolment = z.object({
  "key-hash": z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  machine: machineId,
  instance: instanceId,
  boot: bootId,
  name: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,63}$/)),
});

/** What a machine says when it introduces itself. */
export type Enrolment = {
  keyHash: string;
  machine: string;
  instance: string;
  boot: string;
  name: string;
};

/** Reads lines `name value`. Lines that nobody asked for are skipped. */
export function parseEnrolment(body: string): Enrolment | undefined {
  const lines = body.split("\n").map((line) => {
    const [name = "", ...value] = line.split(" ");
    return [name, value.join(" ")];
  });
  const { data } = enrolment.safeParse(Object.fromEntries(lines));
  if (!data) return;
  const { "key-hash": keyHash, ...rest } = data;
  return { keyHash, ...rest };
}
