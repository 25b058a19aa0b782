import { readFileSync } from "node:fs";

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);

/** The commands of package.json, each with the words that Node is started with. */
export const commands: readonly [name: string, words: readonly string[]][] = Object.entries(scripts)
  .filter(([name]) => !(name.startsWith("pre") && name.slice("pre".length) in scripts))
  .map(([name, command]) => {
    const [program, ...words] = command.split(" ");
    if (program !== "node") throw new Error(`npm run ${name} is no script of ours: ${command}`);
    return [name, words];
  });

/** How a command is typed. */
export const asTyped = (name: string) =>
  name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`;
