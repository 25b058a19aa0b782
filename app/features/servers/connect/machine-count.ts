/** For so many machines one token can be made. */
export const mostMachines = 50;

/** What was typed for the number of machines, and what is wrong with it. */
export type TypedCount = { text: string; error?: string };

/** For how many machines a token is asked; without the field for one. Undefined where it is no such number. */
export function machineCount(typed: string | null): number | undefined {
  const text = typed?.trim() ?? "1";
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= mostMachines ? count : undefined;
}

/** What is wrong with a number of machines; `left`: how many more the quota allows. */
export function countRefusal(left = mostMachines): string {
  if (left >= mostMachines)
    return `A token is for 1 to ${mostMachines} machines. Type a whole number.`;
  return `Your plan has room for ${left === 1 ? "one more server" : `${left} more servers`}.`;
}
