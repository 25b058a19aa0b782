/** What a person sees in the fields of a page: values by name, and errors by name. */
export function pageFields(page: string) {
  const words = (html = "") =>
    html
      .replaceAll(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const attribute = (tag: string, name: string) =>
    words(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]);
  const values: Record<string, string> = {};
  const errors: Record<string, string> = {};
  const fields =
    /(<(?:input|textarea|select)[^>]*>)(?:([^<]*)<\/textarea>|((?:<option[^>]*>[^<]*<\/option>)*)<\/select>)?/g;
  for (const [, tag = "", text, options] of page.matchAll(fields)) {
    const name = attribute(tag, "name");
    if (!name) continue;
    if (/type="(radio|checkbox)"/.test(tag)) {
      if (/\schecked/.test(tag)) values[name] = attribute(tag, "value") || "on";
    } else if (options === undefined) {
      values[name] = text === undefined ? attribute(tag, "value") : words(text).replace(/^\n/, "");
    } else values[name] = words(/value="([^"]*)" selected/.exec(options)?.[1]);
    const id = attribute(tag, "id");
    const error = id && new RegExp(`id="${id}-error"[^>]*>([^<]*)`).exec(page)?.[1];
    if (error) errors[name] = words(error);
  }
  return { values, errors };
}

/** The hidden fields of a page's first form that has a hidden field of this name, and of this value if one is given. */
export function hiddenFields(page: string, name: string, value?: string): Record<string, string> {
  for (const form of page.match(/<form[\s\S]*?<\/form>/g) ?? []) {
    const hidden = form.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
    const { values } = pageFields(hidden.join(""));
    if (name in values && (value === undefined || values[name] === value)) return values;
  }
  throw new Error(`The page has no form with ${name}${value === undefined ? "" : ` ${value}`}`);
}
