export type Xml = { readonly text: string };

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};
const escaped = (value: string, what: RegExp) =>
  value.replace(what, (each) => escapes[each] ?? each);

/**
 * An element as Exclusive XML Canonicalization 1.0 writes it, so that what is signed is what is sent: attributes in the
 * order of their names, every namespace declared where it is first used, no empty-element tags. Children are elements or
 * text.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Xml | string)[]
): Xml {
  const names = Object.keys(attributes);
  const isNamespace = (each: string) => each.startsWith("xmlns");
  const ordered = [
    ...names.filter(isNamespace).toSorted(),
    ...names.filter((each) => !isNamespace(each)).toSorted(),
  ];
  const written = ordered.map(
    (each) => ` ${each}="${escaped(attributes[each] ?? "", /[&<"\t\n\r]/g)}"`,
  );
  const content = children.map((child) =>
    typeof child === "string" ? escaped(child, /[&<>\r]/g) : child.text,
  );
  return { text: `<${name}${written.join("")}>${content.join("")}</${name}>` };
}
