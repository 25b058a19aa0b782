import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, test } from "vitest";

// A browser that translates a page moves each text node into elements of its own. React then finds none where it puts
// something before that text or takes it away, and the page breaks. An element around the text stays where it is.

type Node = { type: string; start: number; [field: string]: unknown };

/**
 * What an expression or a child of JSX may show: bare `text`, an `element`, `nothing`. It `varies` where that depends on
 * something. A name or a call counts as text, but for those that are known to be elements.
 */
type Shown = "text" | "element" | "nothing" | "varies";

/** Names of what is always an element, or nothing. */
const elementNames =
  /^(children|banner|failure|plan|live|visitors|ending|afterSaving|mark|toField)$/;

function shownBy(node: Node): Shown[] {
  const of = (field: string) => shownBy(node[field] as Node);
  switch (node.type) {
    case "JSXText":
      return isLineBreak(node) ? [] : ["text"];
    case "JSXElement":
      return ["element"];
    case "JSXFragment":
      return (node.children as Node[]).flatMap(shownBy);
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
    case "ChainExpression":
      return of("expression");
    case "JSXEmptyExpression":
      return [];
    case "Literal":
      return [
        typeof node.value === "number" || (node.value && node.value !== true) ? "text" : "nothing",
      ];
    case "ConditionalExpression":
      return ["varies", ...of("consequent"), ...of("alternate")];
    case "LogicalExpression":
      return [
        "varies",
        ...(node.operator === "&&" ? (["nothing"] as const) : of("left")),
        ...of("right"),
      ];
    case "Identifier":
      return node.name === "undefined"
        ? ["nothing"]
        : [elementNames.test(String(node.name)) ? "element" : "text"];
    case "CallExpression": {
      const { name, property } = node.callee as Node & {
        name?: string;
        property?: { name: string };
      };
      if (property?.name === "map" || property?.name === "flatMap") return ["element", "varies"];
      return [name === "children" ? "element" : "text"];
    }
    default:
      return ["text"];
  }
}

const isLineBreak = ({ type, value }: Node) =>
  type === "JSXText" && String(value).trim() === "" && String(value).includes("\n");

const isText = ({ type, value }: Node) =>
  type === "TemplateLiteral" || (type === "Literal" && typeof value === "string");

/** The bare text of a file that React cannot find again after a translation. */
function faultsIn(file: string, source: string): string[] {
  const faults: string[] = [];
  const walk = (node: unknown, isChild: boolean, isInComponent = false) => {
    if (Array.isArray(node)) for (const each of node) walk(each, isChild, isInComponent);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, start, ...fields } = node as Node;
    const children = (
      type === "JSXElement" || type === "JSXFragment" ? fields.children : undefined
    ) as Node[] | undefined;
    if (children) {
      const shown = children.map(shownBy).filter((each) => each.length > 0);
      const has = (what: Shown) => shown.some((each) => each.includes(what));
      const isBeside = shown.length > 1 && has("text") && has("varies");
      // A fragment that a component returns, or that a condition chooses, is taken away piece by piece.
      const isLoose = type === "JSXFragment" && !isChild && has("text");
      if (isBeside || isLoose) faults.push(`${file}:${source.slice(0, start).split("\n").length}`);
    }
    // A text that a component returns stands beside whatever is beside the component.
    const { argument } = fields as { argument?: Node | null };
    if (type === "ReturnStatement" && isInComponent && argument && isText(argument)) {
      faults.push(`${file}:${source.slice(0, start).split("\n").length}`);
    }
    for (const [field, value] of Object.entries(fields)) {
      const isFunction = /Function/.test(type);
      const { id } = fields as { id?: { name: string } | null };
      const isOfComponent = isFunction ? /^[A-Z]/.test(id?.name ?? "") : isInComponent;
      walk(value, field === "children" && children !== undefined, isOfComponent);
    }
  };
  walk(parseSync(file, source).program, false);
  return faults;
}

test("no bare text stands beside what comes and goes (C1)", () => {
  const files = globSync("app/**/*.tsx");
  const faults = files.flatMap((file) => faultsIn(file, readFileSync(file, "utf8")));
  expect(faults).toEqual([]);
  expect(files.length).toBeGreaterThan(150);
});

test.each([
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: source that is read
  ["{done ? <Icon /> : null}{words}", true],
  ["Version {number}{inForce ? ', in force' : ''}", true],
  ["Since <b />{ended ? <>, until <b /></> : null}", true],
  ["{done ? <Icon /> : null}<span>{words}</span>", false],
  ["{`Version ${number}${inForce ? ', in force' : ''}`}", false],
  ["{name}", false],
  ["{name}</p>; function Name() { return 'Ada'; } const y = <p>", true],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: source that is read
])("bare text is found in %s: %s", (inside, isFault) => {
  expect(faultsIn("x.tsx", `const x = <p>${inside}</p>;`).length > 0).toBe(isFault);
});
