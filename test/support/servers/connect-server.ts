import type { Visitor } from "../site/visitor.ts";
import { Machine } from "./machine.ts";
import { serversAt } from "./servers-at.ts";

/** Connects a machine to a deployment of this person's personal workspace, and reports once; answers its server's id. */
export async function connectServer(
  { owner, deployment }: { owner: Visitor; deployment: string },
  { instance, certificate }: { instance: string; certificate: string },
): Promise<string> {
  const page = await owner.post(`/dashboard/deployments/${deployment}`, { intent: "connect" });
  const [token] = /lkd_e_\w+/.exec(await page.text()) ?? [];
  if (!token) throw new Error("No token was made");
  const machine = new Machine(serversAt(owner.siteUrl), instance);
  await machine.enrol(token);
  const answer = await machine.report(1, [`certificate\t${certificate}\t1796313650`]);
  if (answer.status !== 200) throw new Error(`The machine was refused: ${answer.lines.say}`);
  return machine.server;
}
