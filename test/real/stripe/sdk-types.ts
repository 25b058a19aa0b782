import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

const root = "node_modules/stripe/esm";

/** An interface of the SDK, its name as its file says it: `SessionCreateParams.AutomaticTax`. */
export interface Group {
  name: string;
  file: SdkFile;
  properties: ReadonlyMap<string, Property>;
}

interface Property {
  optional: boolean;
  type: string;
}

/** What a type allows: any of these. */
export interface Shape {
  text: boolean;
  number: boolean;
  flag: boolean;
  nullable: boolean;
  /** What is not read here: `void`, a type of another package. */
  unknown: boolean;
  literals: string[];
  groups: Group[];
  lists: Shape[];
  /** Pages of a list, `ApiList`. */
  pages: Shape[];
  /** Values by names that are not fixed, as metadata. */
  maps: Shape[];
}

interface SdkFile {
  path: string;
  groups: Map<string, { base: string | undefined; properties: Map<string, Property> }>;
  aliases: Map<string, string>;
  imports: Map<string, { path: string; name: string }>;
}

/** A call of the SDK: what it takes, and what is answered. */
export interface SdkCall {
  method: string;
  /** With `{}` for each id. */
  path: string;
  params: Shape | undefined;
  answer: Shape;
}

const files = new Map<string, SdkFile>();

function fileAt(path: string): SdkFile {
  const cached = files.get(path);
  if (cached) return cached;
  const read = readFile(path);
  files.set(path, read);
  return read;
}

/** The declarations of one generated file: one property, type or name on a line, nested by four spaces. */
function readFile(path: string): SdkFile {
  const file: SdkFile = { path, groups: new Map(), aliases: new Map(), imports: new Map() };
  const scope: string[] = [];
  let open: Map<string, Property> | undefined;
  let map: { name: string; optional: boolean; around: string } | undefined;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const depth = /^ */.exec(line)?.[0].length ?? 0;
    const text = line.trim();
    const imported = /^import (?:type )?\{(.+)\} from '(.+)\.js';$/.exec(line);
    const opened =
      /^(?:export )?(?:declare )?(namespace|interface) (\w+)(?: extends ([\w.]+))? \{/.exec(text);
    const alias = /^(?:export )?(?:declare )?type (\w+) = (.+);$/.exec(text);
    const property = /^(?:readonly )?(?:'([^']+)'|(\w+))(\?)?: (.+);$/.exec(text);
    const mapOpened = /^(\w+)(\?)?: (Emptyable<)?\{$/.exec(text);
    const mapValue = /^\[\w+: string\]: (.+);$/.exec(text)?.[1];
    if (imported) {
      const from = join(dirname(path), `${imported[2]}.d.ts`);
      for (const each of (imported[1] ?? "").split(",")) {
        const [name = "", local = name] = each.trim().split(" as ");
        file.imports.set(local, { path: normalize(from), name });
      }
    } else if (opened) {
      scope.length = depth / 4;
      scope.push(opened[2] ?? "");
      open = undefined;
      if (opened[1] === "interface") {
        open = new Map();
        file.groups.set(scope.join("."), { base: opened[3], properties: open });
      }
    } else if (alias) {
      file.aliases.set([...scope.slice(0, depth / 4), alias[1]].join("."), alias[2] ?? "");
    } else if (mapOpened) {
      const [, name = "", optional, emptyable] = mapOpened;
      map = { name, optional: optional === "?", around: emptyable ? "Emptyable<_>" : "_" };
    } else if (open && map && mapValue) {
      const type = map.around.replace("_", `{ [key: string]: ${mapValue} }`);
      open.set(map.name, { optional: map.optional, type });
    } else if (map && text.startsWith("}")) {
      if (open && text.includes("| null")) {
        const { optional = false, type = "" } = open.get(map.name) ?? {};
        open.set(map.name, { optional, type: `${type} | null` });
      }
      map = undefined;
    } else if (open && property && depth === scope.length * 4) {
      const [, quoted, plain, optional, type = ""] = property;
      // Says that a field is never there.
      if (type === "void") continue;
      open.set(quoted ?? plain ?? "", { optional: optional === "?", type });
    } else if (text === "}") {
      scope.length = Math.min(scope.length, depth / 4);
      open = undefined;
    }
  }
  return file;
}

/** What the type that is written `type` in `within` of `file` allows. */
function shapeOf(type: string, file: SdkFile, within: string): Shape {
  const shape = emptyShape();
  for (const part of parts(type)) add(shape, part, file, within);
  return shape;
}

function emptyShape(): Shape {
  return {
    ...{ text: false, number: false, flag: false, nullable: false, unknown: false },
    ...{ literals: [], groups: [], lists: [], pages: [], maps: [] },
  };
}

function add(shape: Shape, part: string, file: SdkFile, within: string): void {
  const literal = /^'(.*)'$/.exec(part)?.[1];
  const [, outer, inner = ""] = /^(Array|Emptyable|ApiList|Partial)<(.+)>$/.exec(part) ?? [];
  if (literal !== undefined) shape.literals.push(literal);
  else if (part === "string" || part === "Decimal") shape.text = true;
  else if (part === "number") shape.number = true;
  else if (part === "boolean" || part === "true" || part === "false") shape.flag = true;
  else if (part === "null") shape.nullable = true;
  else if (part === "Metadata" || part === "MetadataParam")
    shape.maps.push({ ...emptyShape(), text: true });
  else if (outer === "Array") shape.lists.push(shapeOf(inner, file, within));
  else if (outer === "ApiList") shape.pages.push(shapeOf(inner, file, within));
  else if (outer === "Emptyable") {
    shape.literals.push("");
    shape.nullable = true;
    for (const each of parts(inner)) add(shape, each, file, within);
  } else if (outer === "Partial") add(shape, inner, file, within);
  else if (part.startsWith("{")) {
    const value = /^\{ \[\w+: string\]: (.+?);? \}$/.exec(part)?.[1];
    if (value) shape.maps.push(shapeOf(value, file, within));
    else shape.unknown = true;
  } else if (part !== "OtherString") addNamed(shape, part, file, within);
}

function addNamed(shape: Shape, name: string, file: SdkFile, within: string): void {
  const scope = within === "" ? [] : within.split(".");
  for (let length = scope.length; length >= 0; length--) {
    const full = [...scope.slice(0, length), name].join(".");
    const alias = file.aliases.get(full);
    if (alias !== undefined) {
      const parent = full.split(".").slice(0, -1).join(".");
      for (const each of parts(alias)) add(shape, each, file, parent);
      return;
    }
    if (file.groups.has(full)) {
      shape.groups.push(groupNamed(full, file));
      return;
    }
  }
  const [first = "", ...rest] = name.split(".");
  const found = file.imports.get(first);
  if (!found || found.path.includes("..")) shape.unknown = true;
  else addNamed(shape, [found.name, ...rest].join("."), fileAt(found.path), "");
}

/** The interface of this name, with what it inherits. */
function groupNamed(name: string, file: SdkFile): Group {
  const declared = file.groups.get(name);
  if (!declared) throw new Error(`${file.path} declares no ${name}`);
  const parent = name.split(".").slice(0, -1).join(".");
  const inherited = declared.base ? shapeOf(declared.base, file, parent).groups : [];
  const properties = new Map([
    ...inherited.flatMap((each) => [...each.properties]),
    ...declared.properties,
  ]);
  return { name, file, properties };
}

/** What a property of an interface allows. */
export function propertyShape({ name, file }: Group, { type }: Property): Shape {
  return shapeOf(type, file, name);
}

/** Where an interface is declared, for people: `Checkout/Sessions.d.ts Checkout.SessionCreateParams`. */
export function placeOf({ name, file }: Group): string {
  return `${relative(root, file.path)} ${name}`;
}

/** The interface at a place. */
export function groupAt(place: string): Group {
  const [path = "", name = ""] = place.split(" ");
  return groupNamed(name, fileAt(join(root, path)));
}

/** The members of a union as it is written; those inside brackets stay together. */
function parts(type: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let part = "";
  for (const letter of type) {
    if ("<{(".includes(letter)) depth++;
    if (">})".includes(letter)) depth--;
    if (letter === "|" && depth === 0) {
      found.push(part.trim());
      part = "";
    } else part += letter;
  }
  return [...found, part.trim()].filter((each) => each !== "");
}

/** Every call of the SDK to `/v1/`. */
export function sdkCalls(): SdkCall[] {
  return globSync(`${root}/resources/{*,*/*}.js`).flatMap(callsIn);
}

function callsIn(path: string): SdkCall[] {
  const file = fileAt(path.replace(/\.js$/, ".d.ts"));
  const declarations = readFileSync(file.path, "utf8");
  const calls = readFileSync(path, "utf8").matchAll(
    /^ {4}(\w+)\([^)]*\) \{\s+return this\._makeRequest\('(\w+)', ['`](\/v1\/[^'`]*)['`]/gm,
  );
  return [...calls].flatMap(([, name = "", method = "", template = ""]) => {
    const declared = new RegExp(`^    ${name}\\((.*)\\): (.+);$`, "m").exec(declarations);
    const answer =
      /^(?:Promise<Response<(.+)>>|ApiListPromise<(.+)>|ApiSearchResultPromise<.+>)$/.exec(
        declared?.[2] ?? "",
      );
    if (!declared || !answer) return [];
    const params = /\bparams\??: ([\w.]+)/.exec(declared[1] ?? "")?.[1];
    const [, one, listed] = answer;
    return {
      method,
      path: template.replace(/\$\{[^}]+\}/g, "{}"),
      params: params ? shapeOf(params, file, "") : undefined,
      answer: one
        ? shapeOf(one, file, "")
        : { ...emptyShape(), pages: listed ? [shapeOf(listed, file, "")] : [] },
    };
  });
}
