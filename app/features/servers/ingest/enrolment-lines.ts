import * as z from "zod/mini";
import { instanceId, machineId } from "~/features/servers/ingest/report";

const enrolment = z.object({
  "key-hash": z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  machine: machineId,
  instance: instanceId,
  name: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,63}$/)),
});

/** What a machine says when it introduces itself. Machines with older files say more, which is skipped. */
export type Enrolment = {
  keyHash: string;
  machine: string;
  instance: string;
  name: string;
};

/** Undefined where a line is missing or has another form. */
export function parseEnrolment(body: string): Enrolment | undefined {
  const { data } = enrolment.safeParse(linesOf(body));
  if (!data) return;
  const { "key-hash": keyHash, ...rest } = data;
  return { keyHash, ...rest };
}

const leaving = z.object({ machine: z.optional(machineId), instance: z.optional(instanceId) });

/** Which machine takes its leave: nothing of it where the machine's files are older. */
export type Leaving = z.infer<typeof leaving>;

/** Undefined where a line has another form. */
export function parseLeaving(body: string): Leaving | undefined {
  return leaving.safeParse(linesOf(body)).data;
}

/** Reads lines `name value`. Lines that nobody asks for are skipped. */
function linesOf(body: string): Record<string, string> {
  const lines = body.split("\n").map((line) => {
    const [name = "", ...value] = line.split(" ");
    return [name, value.join(" ")];
  });
  return Object.fromEntries(lines);
}
