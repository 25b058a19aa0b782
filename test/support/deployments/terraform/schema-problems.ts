import { blocksOf, declared, type Hcl, type HclMap, isExpression, isMap } from "./hcl.ts";
import { type Block, type ProviderSchema, providerSchemas } from "./provider-schemas.ts";

/** What every resource and data source may have beside what its provider knows. */
const meta = ["count", "depends_on", "for_each", "lifecycle", "provider"];

/** What is passed on to a machine, which nobody writes into a file of ours. */
const userData = ["custom_data", "user_data", "user_data_base64", "user-data"];

/** What a main.tf says against the schemas of the providers that it names. */
export function schemaProblems(file: HclMap): string[] {
  const named = providersOf(file);
  const problems = named.flatMap((name) =>
    providerSchemas[name] ? [] : [`there is no schema of ${name}`],
  );
  const schemas = named.flatMap((name) => providerSchemas[name] ?? []);
  const found = (kind: "resources" | "data", type: string) =>
    schemas.map((schema: ProviderSchema) => schema[kind][type]).find((block) => block);
  for (const [kind, lists] of [
    ["resource", "resources"],
    ["data", "data"],
  ] as const)
    for (const { type, name, content } of declared(file, kind)) {
      const block = found(lists, type);
      const path = `${kind} ${type}.${name}`;
      if (block) problems.push(...blockProblems(block, content, path, meta));
      else problems.push(`${path}: unknown`);
    }
  for (const [name, contents] of Object.entries(isMap(file.provider) ? file.provider : {})) {
    const block = providerSchemas[name]?.provider;
    for (const content of blocksOf(contents))
      if (block) problems.push(...blockProblems(block, content, `provider ${name}`, ["alias"]));
  }
  return [...problems, ...referenceProblems(file, named, found)];
}

/** The providers that a main.tf asks for. */
export function providersOf(file: HclMap): string[] {
  return blocksOf(file.terraform)
    .flatMap(({ required_providers }) => blocksOf(required_providers))
    .flatMap((providers) => Object.keys(providers));
}

function blockProblems(
  block: Block,
  content: HclMap,
  path: string,
  others: readonly string[] = [],
): string[] {
  const { attributes, blocks = {} } = block;
  const inner = innerBlocks(content);
  const problems: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const use = attributes[name];
    if (others.includes(name) || name === "dynamic" || blocks[name]) continue;
    if (use === undefined && inner.has(name)) continue;
    if (use === undefined) problems.push(`${path}.${name}: unknown`);
    else if (/^computed/.test(use)) problems.push(`${path}.${name}: only the provider sets it`);
    else if (isPlain(value) && use.endsWith("sensitive"))
      problems.push(`${path}.${name}: a secret in plain text`);
    problems.push(...plainUserData(name, value, `${path}.${name}`));
  }
  for (const [name, use] of Object.entries(attributes))
    if (use.startsWith("required") && content[name] === undefined)
      problems.push(`${path}.${name}: missing`);
  for (const [name, { least }] of Object.entries(blocks))
    if ((inner.get(name)?.length ?? 0) < least) problems.push(`${path}.${name}: missing`);
  for (const [name, contents] of inner) {
    const nested = blocks[name]?.block;
    if (!nested && attributes[name] === undefined && !others.includes(name))
      problems.push(`${path}.${name}: unknown`);
    if (nested)
      for (const each of contents) problems.push(...blockProblems(nested, each, `${path}.${name}`));
  }
  return problems;
}

/** The blocks inside a block by name, also those that Terraform makes of a list. */
function innerBlocks(content: HclMap): Map<string, readonly HclMap[]> {
  const inner = new Map<string, readonly HclMap[]>();
  for (const [name, value] of Object.entries(content))
    if (name !== "dynamic" && blocksOf(value).length > 0) inner.set(name, blocksOf(value));
  for (const [name, value] of Object.entries(isMap(content.dynamic) ? content.dynamic : {}))
    inner.set(name, [
      ...(inner.get(name) ?? []),
      ...blocksOf(value).flatMap(({ content: each }) => blocksOf(each)),
    ]);
  return inner;
}

const isPlain = (value: Hcl): boolean => typeof value === "string" && !isExpression(value);

/** User data may hold a token: it comes from a file, by a local value that no plan shows. */
function plainUserData(name: string, value: Hcl, path: string): string[] {
  if (userData.includes(name) && !JSON.stringify(value).includes("local.user_data"))
    return [`${path}: a secret in plain text`];
  return isMap(value)
    ? Object.entries(value).flatMap(([key, each]) => plainUserData(key, each, `${path}.${key}`))
    : [];
}

/** Each name that an expression mentions must be declared, with an attribute that its provider knows. */
function referenceProblems(
  file: HclMap,
  named: readonly string[],
  found: (kind: "resources" | "data", type: string) => Block | undefined,
): string[] {
  const isDeclared = (kind: "resource" | "data", type: string, name: string) =>
    declared(file, kind).some((each) => each.type === type && each.name === name);
  const problems = new Set<string>();
  for (const text of expressionsIn(file))
    for (const [whole, data, type = "", name = "", attribute] of text.matchAll(
      /(?<![\w."])(data\.)?([a-z]+_[a-z0-9_]+)\.([a-z0-9]+)(?:\[[^\]]*\])?(?:\.([a-z0-9_]+))?/g,
    )) {
      if (!named.includes(type.split("_")[0] ?? "")) continue;
      const kind = data ? "data" : "resource";
      const block = found(data ? "data" : "resources", type);
      const known =
        attribute === undefined || block?.attributes[attribute] || block?.blocks?.[attribute];
      if (!isDeclared(kind, type, name) || !known) problems.add(`${whole}: unknown`);
    }
  return [...problems];
}

function expressionsIn(value: Hcl): string[] {
  if (typeof value === "string") return isExpression(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(expressionsIn);
}
