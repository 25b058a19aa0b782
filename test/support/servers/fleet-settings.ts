/** A fleet's settings in memory, for tests of what needs no other table. */
export function fleetSettings(): SqlStorage {
  const values = new Map<string, string>();
  const exec = (query: string, name: string, value?: string) => {
    if (query.startsWith("insert") && value !== undefined) values.set(name, value);
    const found = query.startsWith("select") ? values.get(name) : undefined;
    return { toArray: () => (found === undefined ? [] : [{ value: found }]) };
  };
  return { exec } as unknown as SqlStorage;
}
