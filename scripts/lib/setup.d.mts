/** Installs when the lockfile changed since the last install, and creates .dev.vars if absent. */
export function setUp(options: {
  root: string;
  install?: (root: string) => Promise<void>;
}): Promise<"installed" | "up to date">;
