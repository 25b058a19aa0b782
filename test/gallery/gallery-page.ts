import { escapeMarkup } from "../../app/http/encodings.ts";

export type Subject = { kind: "Primitive" | "Screen"; name: string };

export const themes = ["light", "dark"] as const;
export const widths = [320, 768, 1280] as const;

/** The file of a picture, beside the page. */
export function pictureOf(subject: Subject, theme: string, width: number): string {
  const slug = `${subject.kind} ${subject.name}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${slug}-${theme}-${width}.png`;
}

/** One page with every picture of these subjects; of one that was not drawn, its name and that it is missing. */
export function galleryPage(subjects: readonly Subject[], drawn: ReadonlySet<string>): string {
  const sections = subjects.map((subject) => {
    const pictures = themes.flatMap((theme) =>
      widths.map((width) => {
        const file = pictureOf(subject, theme, width);
        const caption = `${theme}, ${width} px`;
        return drawn.has(file)
          ? `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${escapeMarkup(subject.name)}, ${caption}" width="${width / 4}"></a><figcaption>${caption}</figcaption></figure>`
          : `<figure><strong>Not drawn</strong><figcaption>${caption}</figcaption></figure>`;
      }),
    );
    return `<section><h2>${subject.kind}: ${escapeMarkup(subject.name)}</h2><div>${pictures.join("")}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title>
<style>body{font:14px system-ui;margin:24px;background:#888}div{display:flex;flex-wrap:wrap;gap:12px;align-items:start}figure{margin:0}img{display:block;height:auto}</style>
<h1>Gallery: ${subjects.length} primitives and screens</h1>
${sections.join("\n")}
</html>
`;
}
