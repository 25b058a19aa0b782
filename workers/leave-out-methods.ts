import { parseAst } from "vite";

type Method = { name: string; start: number; end: number; isEntry: boolean };

/**
 * A library's module in which only some methods of its classes still have a body: the named, what these
 * name in turn, constructors and accessors. Every other, and those `cut` although somebody names them,
 * call `leftOut`, a function that the module must import. Throws when a kept method is not there.
 */
export function withoutUnusedMethods(
  code: string,
  kept: readonly string[],
  cut: readonly string[] = [],
): string {
  const methods = methodsOf(code);
  const names = new Set(methods.map(({ name }) => name));
  for (const name of kept) {
    if (!names.has(name)) throw new Error(`The library has no method ${name} any more`);
  }
  const used = new Set(kept);
  const waiting = methods.filter(({ name, isEntry }) => isEntry || used.has(name));
  for (const { name, start, end, isEntry } of waiting) {
    if (isEntry && name === "constructor") continue;
    for (const [, called = ""] of code.slice(start, end).matchAll(/\.(\w+)/g)) {
      if (!names.has(called) || used.has(called) || cut.includes(called)) continue;
      used.add(called);
      waiting.push(...methods.filter((method) => method.name === called));
    }
  }
  return methods
    .filter(({ name, isEntry }) => !isEntry && !used.has(name))
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end }) => `${text.slice(0, start)}{ leftOut(); }${text.slice(end)}`,
      code,
    );
}

/** The methods of all classes in the module, each with where its body stands. */
function methodsOf(code: string): Method[] {
  const found: Method[] = [];
  const visit = (node: unknown) => {
    if (typeof node !== "object" || node === null) return;
    if (isMethod(node)) found.push(describe(node));
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(code));
  return found;
}

type MethodNode = {
  type: "MethodDefinition";
  kind: string;
  key: { name: string };
  value: { body: { start: number; end: number } };
};

function isMethod(node: object): node is MethodNode {
  return "type" in node && node.type === "MethodDefinition";
}

function describe({ kind, key, value: { body } }: MethodNode): Method {
  return { name: key.name, start: body.start, end: body.end, isEntry: kind !== "method" };
}
