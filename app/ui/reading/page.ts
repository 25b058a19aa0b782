import * as z from "zod";

/** What stands above the text of every markdown page. `date`: published, or last changed. */
export const frontmatterSchema = z.strictObject({
  title: z.string().min(3).max(80),
  description: z.string().min(50).max(165),
  date: z.iso.date(),
  /** Words that people search with and that the text does not have, such as 401. They are not shown. */
  keywords: z.optional(z.array(z.coerce.string().min(2))),
});

export type Frontmatter = z.infer<typeof frontmatterSchema>;

/** A heading that the page can be linked at, `#id`. */
export type Heading = { id: string; text: string; level: 2 | 3 };

/** The text of a page, and what is in it. */
export type PageText = { html: string; headings: Heading[] };

/** One markdown file, compiled. */
export type CompiledPage = PageText & {
  frontmatter: Frontmatter;
  /** How long it takes to read. */
  minutes: number;
};

/** What lists of pages and search engines are told about a page. */
export type PageSummary = Omit<Frontmatter, "keywords"> & { minutes: number };

/**
 * What a `*.md` import is on the server. The text itself is a static asset, so that it does not
 * count in the Worker's upload; only development has it at hand.
 */
export type MarkdownModule = PageSummary & { asset: string; text?: PageText };
