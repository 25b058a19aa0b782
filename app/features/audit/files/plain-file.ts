/** A line of a file that is no YAML, such as `redis.conf`: a word and what follows it. */
export type Directive = { name: string; value: string; line: number };

/** The lines of redis.conf, or of sysctl's files with `=` between. */
export function directivesOf(text: string): Directive[] {
  return text.split("\n").flatMap((each, index) => {
    const line = each.trim();
    const [name = ""] = /^[\w.-]+/.exec(line) ?? [];
    const rest = line.slice(name.length);
    if (!name || !/^[\s=]/.test(rest)) return [];
    const value = rest.trimStart().replace(/^=/, "").trimStart();
    return [{ name: name.toLowerCase(), value, line: index + 1 }];
  });
}

/** A block of nginx or of a Caddyfile, with what stands directly in it. */
export type Block = { name: string; line: number; directives: Directive[]; blocks: Block[] };

/** Deeper than anybody nests. What is deeper counts as if it stood here. */
const maxDepth = 50;
/** More than anybody has. What comes after them is not looked at. */
const maxBlocks = 2_000;

/** The blocks of a file with braces. Braces that do not match end where the file ends. */
export function blocksOf(text: string): Block {
  const root: Block = { name: "", line: 1, directives: [], blocks: [] };
  const open = [root];
  let count = 0;
  for (const [index, each] of text.split("\n").entries()) {
    const line = index + 1;
    const words = each.replace(/(^|\s)#.*$/, "").trim();
    // A brace within a word is a placeholder of Caddy's, such as {$DOMAIN}.
    for (const part of words.split(
      /(?<=[;])|(?<=(?:^|\s)[{}](?=\s|$))|(?=[}](?:\s|$))|(?=\s[{](?:\s|$))/,
    )) {
      const word = part.trim();
      const inside = open.at(-1) ?? root;
      if (word === "{") {
        if (++count > maxBlocks) return root;
        // What stood before the brace names the block.
        const last = inside.directives.at(-1);
        const named = last?.line === line ? inside.directives.pop() : undefined;
        const block: Block = {
          name: named ? `${named.name} ${named.value}`.trim() : "",
          line,
          directives: [],
          blocks: [],
        };
        inside.blocks.push(block);
        if (open.length < maxDepth) open.push(block);
      } else if (word === "}") {
        if (open.length > 1) open.pop();
      } else if (word) {
        const [name = "", ...rest] = word.replace(/;$/, "").split(/\s+/);
        inside.directives.push({ name, value: rest.join(" "), line });
      }
    }
  }
  return root;
}

/** A block and all within it. */
export function withInner(block: Block): Block[] {
  return [block, ...block.blocks.flatMap(withInner)];
}

export const directive = (block: Block, name: string): Directive | undefined =>
  block.directives.find((each) => each.name === name);
