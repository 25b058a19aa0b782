import MiniSearch, { type SearchResult } from "minisearch";

/** A part of a page under one heading, as the build writes it; the part before the first heading has none. */
export type Section = {
  /** Its address: `/docs/api#how-it-answers`. */
  to: string;
  /** The title of its page. */
  page: string;
  heading?: string;
  text: string;
  /** With the first part of a page: words that people search with and that the text does not have. */
  keywords?: string;
};

/** A section that was found, with the stems of the words in it that match. */
export type Found = { section: Section; stems: ReadonlySet<string> };

const maxResults = 12;
const maxOfOnePage = 3;

/** Words of questions that say nothing about their subject. */
const stopWords = new Set(
  `a about after again all also am an and any anybody anyone anything are as at be because been before being but by can cannot cant could did
  do does doesnt doing dont every everybody everyone for from get gets getting had has have having he her here his how i if im in into is isnt it
  its just like make makes me my need no nobody not nothing of on only or other our out over own please same see she should so some somebody someone
  such than that the their them then there these they thing this those though through to too try trying under until
  up us use used uses using very want was way we were what when where which while who whose why will with without wont
  work working works would you your`.split(/\s+/),
);

/** The form in which a word is looked up: in lower case and without an ending. Empty for a word that says nothing. */
export function stemOf(word: string): string {
  const plain = word.toLowerCase().replaceAll(/['’]/g, "");
  if (stopWords.has(plain)) return "";
  if (plain.length < 5 || /\d/.test(plain)) return plain.replace(/(?<=[a-z]{3})s$/, "");
  return plain
    .replace(/ies$/, "y")
    .replace(/(?<=ss|x|ch|sh)es$|(?<=[^s])s$/, "")
    .replace(/(?:ing|ed|ion)$/, "")
    .replace(/e$/, "");
}

/**
 * Makes the search over these sections: a question gives the sections that answer it, the best page's first. It is
 * made in slices, so that a slow phone does not stand still meanwhile.
 */
export async function searchOver(
  sections: readonly Section[],
): Promise<(question: string) => Found[]> {
  const byAddress = new Map(sections.map((section) => [section.to, section]));
  const index = new MiniSearch<Section>({
    idField: "to",
    fields: ["page", "heading", "text", "keywords"],
    processTerm: (word) => stemOf(word) || null,
    searchOptions: {
      boost: { heading: 3, keywords: 2 },
      prefix: (word) => word.length > 2,
      // Numbers are ports and codes: another one is not nearly the same.
      fuzzy: (word) => (word.length > 4 && !/\d/.test(word) ? 0.2 : false),
      weights: { prefix: 0.2, fuzzy: 0.1 },
    },
  });
  await index.addAllAsync(sections, { chunkSize: 20 });

  return (question) => {
    const pages = new Map<string, SearchResult[]>();
    for (const hit of index.search(question)) {
      const [page] = String(hit.id).split("#");
      pages.set(page ?? "", [...(pages.get(page ?? "") ?? []), hit]);
    }
    return [...pages.values()]
      .map((hits) => ({ hits, score: scoreOfPage(hits) }))
      .sort((one, other) => other.score - one.score)
      .flatMap(({ hits }) => hits.slice(0, maxOfOnePage))
      .slice(0, maxResults)
      .flatMap(({ id, terms }) => {
        const section = byAddress.get(id);
        return section ? [{ section, stems: new Set(terms) }] : [];
      });
  };
}

/**
 * A page counts by its best sections, and by how many of the question's words it has. A word that is only the beginning
 * of another one, or nearly another one, adds to the sections' scores alone: a long page has some for every question.
 */
function scoreOfPage(hits: readonly SearchResult[]): number {
  const words = new Set(
    hits.flatMap(({ queryTerms, terms }) => queryTerms.filter((word) => terms.includes(word))),
  );
  const best = hits.slice(0, 4).reduce((sum, { score }, place) => sum + score / 2 ** place, 0);
  return best * (words.size || 0.5);
}
