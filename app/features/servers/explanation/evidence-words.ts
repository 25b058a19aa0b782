import type { Evidence } from "../room-sessions/evidence";
import { people } from "./facts";

/** What their own app said, as a reason. */
export const saidBy = (words: string): string => `Their app said: ${words}.`;

/** The end of a first sentence about a network: "; 3 people from there too". */
export const fromThereToo = (count: number): string =>
  count > 0 ? `; ${people(count)} from there too` : "";

/** How the console names a network. */
export const networkName = ({ network }: Pick<Evidence, "network">): string[] =>
  network ? [`Their network is ${network.slice(0, 6)}.`] : [];

export const networkHelp = [
  "Have them run a connection test from there: its link needs no account, and it says which ways their network lets through.",
  "Try another network, such as a phone's: it shows at once whether theirs is the cause.",
];

/** What whoever runs a network can do, for calls that need another way than the best one. */
export const openUdp =
  "Ask whoever runs their network to let UDP through to the server: its ports are on the deployment's page.";
