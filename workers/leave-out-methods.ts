import { parseAst } from "vite";

type Body = { name: string; start: number; end: number };
type Method = Body & { isEntry: boolean };

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
  return withLeftOut(
    code,
    methods.filter(({ name, isEntry }) => !isEntry && !used.has(name)),
  );
}

/** The module with a call to `leftOut` in place of these bodies. */
function withLeftOut(code: string, bodies: readonly Body[]): string {
  return bodies
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end }) => `${text.slice(0, start)}{ leftOut(); }${text.slice(end)}`,
      code,
    );
}

/**
 * A module in which the named functions and methods call `leftOut`, which it must import, and nothing
 * else. What only they use can then be left out too. Throws when one is not there.
 */
export function withoutBodies(code: string, names: readonly string[]): string {
  const functions = functionsOf(code);
  const bodies = names.flatMap((name) => {
    const found = functions.filter((one) => one.name === name);
    if (found.length === 0) throw new Error(`The library has no function ${name} any more`);
    return found;
  });
  return withLeftOut(code, bodies);
}

/** The methods of all classes in the module, each with where its body stands. */
function methodsOf(code: string): Method[] {
  return nodesOf(code)
    .filter(isMethod)
    .map(({ kind, key, value: { body } }) => ({
      name: key.name,
      start: body.start,
      end: body.end,
      isEntry: kind !== "method",
    }));
}

/** The same, of declared functions, of classes' methods and of objects' methods. */
function functionsOf(code: string): Body[] {
  return nodesOf(code).flatMap((node) => {
    if (isFunction(node)) return { name: node.id.name, start: node.body.start, end: node.body.end };
    if (!isMethod(node) && !isObjectMethod(node)) return [];
    return { name: node.key.name, start: node.value.body.start, end: node.value.body.end };
  });
}

/** Every node of the syntax tree, down to the leaves. */
function nodesOf(code: string): Node[] {
  const found: Node[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    if (isNode(value)) found.push(value);
    for (const part of Object.values(value)) visit(part);
  };
  visit(parseAst(code));
  return found;
}

type Node = { type: string };
type Place = { start: number; end: number };
type MethodNode = { kind: string; key: { name: string }; value: { body: Place } };
type FunctionNode = { id: { name: string }; body: Place };

function isNode(value: object): value is Node {
  return "type" in value && typeof value.type === "string";
}

function isMethod(node: Node): node is Node & MethodNode {
  return node.type === "MethodDefinition";
}

function isObjectMethod(node: Node): node is Node & MethodNode {
  if (node.type !== "Property" || !("value" in node)) return false;
  const { value } = node;
  if (typeof value !== "object" || value === null || !isNode(value)) return false;
  return value.type === "FunctionExpression";
}

function isFunction(node: Node): node is Node & FunctionNode {
  return node.type === "FunctionDeclaration";
}
