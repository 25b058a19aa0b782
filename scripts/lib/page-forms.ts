/** What a person sees in the fields of a page's last form: values by name, and errors by name. */
export function shownFields(page: string) {
  const words = (html = "") =>
    html
      .replaceAll(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const attribute = (tag: string, name: string) =>
    words(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]);
  const typed: Record<string, string> = {};
  const errors: Record<string, string> = {};
  for (const [tag, text] of page.matchAll(/<(?:input|textarea)[^>]*>(?:([^<]*)<\/textarea>)?/g)) {
    const name = attribute(tag, "name");
    if (!name) continue;
    if (/type="(radio|checkbox)"/.test(tag)) {
      if (/\schecked/.test(tag)) typed[name] = attribute(tag, "value") || "on";
    } else
      typed[name] = text === undefined ? attribute(tag, "value") : words(text).replace(/^\n/, "");
    const id = attribute(tag, "id");
    const error = id && new RegExp(`id="${id}-error"[^>]*>([^<]*)`).exec(page)?.[1];
    if (error) errors[name] = words(error);
  }
  return { typed, errors };
}

/** The hidden fields of the first form of a page that has such a value under this name. */
export function hiddenFields(page: string, name: string, value?: string): Record<string, string> {
  for (const form of page.match(/<form[\s\S]*?<\/form>/g) ?? []) {
    const hidden = form.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
    const { typed } = shownFields(hidden.join(""));
    if (name in typed && (value === undefined || typed[name] === value)) return typed;
  }
  throw new Error(`The page has no form with ${name}${value === undefined ? "" : ` ${value}`}`);
}
