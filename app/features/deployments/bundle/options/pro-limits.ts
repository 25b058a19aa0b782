import type { Options, ProLimit } from "./option.ts";
import { optionTable } from "./options.ts";
import { valueAt } from "./paths.ts";

const options: Options = optionTable;

/** What Basic does not have, with the option that it belongs to. */
export const proLimits: readonly (ProLimit & { option: string })[] = Object.entries(
  options,
).flatMap(([option, { pro }]) => (pro ? [{ option, ...pro }] : []));

/** What Basic has at a locked field: the default. */
export function basicValue({ option, field }: (typeof proLimits)[number]): unknown {
  return valueAt({ [option]: options[option]?.field().parse(undefined) }, field);
}
