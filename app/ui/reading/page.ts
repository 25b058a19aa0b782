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

/** What lists of pages and search engines show of a page. */
export type PageSummary = Omit<Frontmatter, "keywords"> & { minutes: number };

/**
 * Every markdown file of `app/content`, by its folder and name: `docs/api`. The list and each text are static assets,
 * so that they do not count in the Worker's upload; only development has the texts at hand.
 */
export type ListedPages = Readonly<
  Record<string, PageSummary & ({ asset: string } | { text: PageText })>
>;
