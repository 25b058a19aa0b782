/**
 * With what a name or a hash begins in the tables, where somebody typed this. What may be a hash may be a name too, such as
 * the number of a customer: servers that send names have it behind "=".
 */
export function namePrefixes(typed = ""): string[] {
  if (!typed) return [];
  if (typed.startsWith("=")) return [typed];
  return /^[0-9a-f]{4,12}$/i.test(typed) ? [typed.toLowerCase(), `=${typed}`] : [`=${typed}`];
}
