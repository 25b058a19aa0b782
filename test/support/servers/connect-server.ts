import type { Visitor } from "../site/visitor.ts";
import { Machine } from "./machine.ts";
import { serversAt } from "./servers-at.ts";

type Place = { owner: Visitor; deployment: string };
type Wanted = { instance: string; certificate: string };

/** Connects a machine to a deployment of this person's personal workspace, and reports once; answers its server's id. */
export async function connectServer(place: Place, wanted: Wanted): Promise<string> {
  return (await connectMachine(place, wanted)).server;
}

/** The same; answers the machine. */
export async function connectMachine(
  { owner, deployment }: Place,
  { instance, certificate }: Wanted,
): Promise<Machine> {
  const page = await owner.post(`/dashboard/deployments/${deployment}`, { intent: "connect" });
  const [token] = /lkd_e_\w+/.exec(await page.text()) ?? [];
  if (!token) throw new Error("No token was made");
  const machine = new Machine(serversAt(owner.siteUrl), instance);
  await machine.enrol(token);
  const answer = await machine.report(1, [`certificate\t${certificate}\t1796313650`]);
  if (answer.status !== 200) throw new Error(`The machine was refused: ${answer.lines.say}`);
  return machine;
}
