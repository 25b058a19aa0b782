import { parseSync } from "vite";

/** One fault that a person could make, as a replacement of a part of a file. */
export type Mutant = { file: string; start: number; end: number; replacement: string };

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const swapped: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
};

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/**
 * Every fault of a TypeScript file: a condition that is the other way round, an operator that is its opposite, a guard
 * that is not there, a boolean that is the other one. Words, types and imports stay as they are.
 */
function scriptMutants(file: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  const source = (node: Node) => text.slice(node.start, node.end);
  const add = (node: Node, replacement: string) =>
    found.push({ file, start: node.start, end: node.end, replacement });
  function visit(node: Node): void {
    if (/^(?:TS|Import)/.test(node.type) && node.type !== "TSAsExpression") return;
    const { test, operator, left, right, argument, consequent, alternate } = node;
    if (node.type === "IfStatement" && isNode(test) && isNode(consequent)) {
      add(test, `!(${source(test)})`);
      if (!alternate && /^(?:Return|Throw|Continue)/.test(consequent.type)) add(node, ";");
    }
    if (node.type === "ConditionalExpression" && isNode(test)) add(test, `!(${source(test)})`);
    if (
      /^(?:Binary|Logical)Expression$/.test(node.type) &&
      isNode(left) &&
      isNode(right) &&
      !/^(?:String|Template)/.test(left.type) &&
      (operator !== "+" || !/["`]/.test(source(node)))
    ) {
      const other = swapped[String(operator)];
      if (other) add(node, `${source(left)} ${other} ${source(right)}`);
    }
    if (node.type === "UnaryExpression" && operator === "!" && isNode(argument)) {
      add(node, source(argument));
    }
    if (node.type === "Literal" && typeof node.value === "boolean") add(node, String(!node.value));
    for (const child of children(node)) visit(child);
  }
  visit(parseSync(file, text).program as unknown as Node);
  return found;
}

const sqlFaults: readonly (readonly [RegExp, string])[] = [
  [/(?<=\s)and(?=\s)/g, "or"],
  [/(?<=\s)is not null\b/g, "is null"],
  [/(?<=\s)is null\b/g, "is not null"],
  [/\bnot exists(?= ?\()/g, "exists"],
  [/(?<=\w) = (?=[\w'(])/g, " <> "],
];
const shellFaults: readonly (readonly [RegExp, string])[] = [
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/\[ -n /g, "[ -z "],
  [/\[ -z /g, "[ -n "],
  [/ -eq /g, " -ne "],
  [/ -gt /g, " -le "],
  [/ -lt /g, " -ge "],
];

function textMutants(
  file: string,
  text: string,
  faults: readonly (readonly [RegExp, string])[],
  comment: RegExp,
): Mutant[] {
  return faults.flatMap(([pattern, replacement]) =>
    [...text.matchAll(pattern)].flatMap(({ 0: match, index }) => {
      const line = text.slice(text.lastIndexOf("\n", index) + 1, index);
      return comment.test(line)
        ? []
        : [{ file, start: index, end: index + match.length, replacement }];
    }),
  );
}

/** Every fault that may be put into a file. */
export function mutantsOf(file: string, text: string): Mutant[] {
  if (file.endsWith(".sql")) {
    // What is written with a table or an index, and not in a function or a policy, decides nothing.
    return textMutants(file, text, sqlFaults, /--|^(?:create|alter|grant|revoke|comment|drop)\b/);
  }
  if (file.endsWith(".sh")) return textMutants(file, text, shellFaults, /#/);
  return scriptMutants(file, text);
}

export function withMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** The line of the fault, before and after it, to be read by a person. */
export function describeMutant(text: string, mutant: Mutant): string {
  const number = text.slice(0, mutant.start).split("\n").length;
  const inLine = (whole: string) => whole.split("\n")[number - 1]?.trim().slice(0, 110);
  return `${mutant.file}:${number}: ${inLine(text)} -> ${inLine(withMutant(text, mutant))}`;
}
