import type { Visitor } from "../site/visitor.ts";
import { Machine } from "./machine.ts";
import { machine as described } from "./report-lines.ts";
import { serversAt } from "./servers-at.ts";

/** So many machines of this person's deployment, each introduced with a token of its own. */
export async function enrolMachines(
  owner: Visitor,
  deployment: string,
  count: number,
): Promise<Machine[]> {
  const machines: Machine[] = [];
  for (let at = 1; at <= count; at += 1) {
    const page = await owner.post(`/dashboard/deployments/${deployment}`, { intent: "connect" });
    const [token] = /lkd_e_\w+/.exec(await page.text()) ?? [];
    if (!token) throw new Error("No token was made");
    const machine = new Machine(serversAt(owner.siteUrl), `i-${at}`, described.boot, `sfu-${at}`);
    const answer = await machine.enrol(token);
    if (answer.status !== 200) throw new Error(`The machine was refused: ${answer.lines.say}`);
    machines.push(machine);
  }
  return machines;
}
