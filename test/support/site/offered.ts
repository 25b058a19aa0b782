/** What a person may press on a page: the forms that change something, and the links, neither of them disabled. */
export type Offered = {
  forms: { action: string; fields: URLSearchParams }[];
  links: string[];
};

const words = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : words(found);
};

/** What the main part of a page of this address offers. A form with several buttons is one for each of them. */
export function offeredIn(page: string, address: string): Offered {
  const main = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
  const enabled = main.replaceAll(/<fieldset[^>]* disabled=""[\s\S]*?<\/fieldset>/g, (fieldset) =>
    // Links go on working inside one.
    fieldset.replaceAll(/<form[\s\S]*?<\/form>/g, ""),
  );
  const links = [...enabled.matchAll(/<a [^>]*>/g)].map(([tag]) => attribute(tag, "href") ?? "");
  const forms = [...enabled.matchAll(/(<form[^>]*>)([\s\S]*?)<\/form>/g)].flatMap(
    ([, tag = "", content = ""]) => {
      if (attribute(tag, "method") !== "post") return [];
      const inputs = [...content.matchAll(/<(?:input|textarea|select)[^>]*>/g)].map(
        ([each]) => each,
      );
      const action = attribute(tag, "action") ?? address;
      return [...content.matchAll(/<button[^>]*type="submit"[^>]*>/g)]
        .filter(([button]) => !/\sdisabled=""/.test(button))
        .map(([button]) => {
          const pairs = [...inputs, button].flatMap((each): [string, string][] => {
            const name = attribute(each, "name");
            return name ? [[name, attribute(each, "value") ?? ""]] : [];
          });
          return { action, fields: new URLSearchParams(pairs) };
        });
    },
  );
  return { forms, links };
}
