import type { Visitor } from "../site/visitor.ts";
import { askForToken } from "./ask-for-token.ts";
import { Machine } from "./machine.ts";
import { serversAt } from "./servers-at.ts";
import { sessionLines, wholeCall } from "./session-lines.ts";

type Place = { owner: Visitor; deployment: string };
type MachineIdentity = { instance: string; certificate: string };

const pageOf = (deployment: string) => `/dashboard/deployments/${deployment}`;

/** Introduces a machine with a token of the deployment's page, whose path `page` is. Throws what was said against it. */
export async function enrolMachine(
  owner: Visitor,
  page: string,
  instance: string,
  name?: string,
): Promise<Machine> {
  const machine = new Machine(serversAt(owner.siteUrl), instance, undefined, name);
  const answer = await machine.enrol((await askForToken(owner, page)).token);
  if (answer.status !== 200) throw new Error(`The machine was refused: ${answer.lines.say}`);
  return machine;
}

/** So many machines of a deployment of this person's personal workspace, each with a token of its own. */
export async function enrolMachines(
  owner: Visitor,
  deployment: string,
  count: number,
): Promise<Machine[]> {
  const machines: Machine[] = [];
  for (let at = 1; at <= count; at += 1) {
    machines.push(await enrolMachine(owner, pageOf(deployment), `i-${at}`, `sfu-${at}`));
  }
  return machines;
}

/** Connects a machine to a deployment of this person's personal workspace, and reports once, a session too. */
export async function connectMachine(
  { owner, deployment }: Place,
  { instance, certificate }: MachineIdentity,
): Promise<Machine> {
  const machine = await enrolMachine(owner, pageOf(deployment), instance);
  const answer = await machine.report(1, [
    `certificate\t${certificate}\t1796313650`,
    ...sessionLines(wholeCall),
  ]);
  if (answer.status !== 200) throw new Error(`The machine was refused: ${answer.lines.say}`);
  return machine;
}

/** The same; answers its server's id. */
export async function connectServer(place: Place, identity: MachineIdentity): Promise<string> {
  return (await connectMachine(place, identity)).server;
}

/** The machine finds a fault. Answers the id of the incident that this opens, as the page of incidents of its owner has it. */
export async function openIncident(owner: Visitor, machine: Machine): Promise<string> {
  await machine.report(2, ["finding\tturn.udp.silent\tcritical\t\t\t"]);
  const page = await (await owner.request("/dashboard/incidents")).text();
  const [, incident] = /\/incidents\/([\w-]{36})"/.exec(page) ?? [];
  if (!incident) throw new Error("No incident opened");
  return incident;
}
