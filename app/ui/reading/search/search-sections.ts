import MiniSearch, { type SearchResult } from "minisearch";
import { stemOf, stemsOf, synonymsOf } from "./search-words.ts";

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
      boostDocument: (address) => weightOf(String(address)),
    },
  });
  await index.addAllAsync(sections, { chunkSize: 20 });

  /** Words of a question that no page has are looked up by their synonyms, as they are. */
  const withSynonyms = (stems: readonly string[]) =>
    stems.flatMap((stem) => {
      const related = synonymsOf(stem);
      const isUnknown = () => index.search(stem, { prefix: false, fuzzy: false }).length === 0;
      return related.length > 0 && isUnknown() ? related : [stem];
    });

  return (question) => {
    const stems = stemsOf(question);
    const title = stems.join(" ");
    const words = withSynonyms(stems).join(" ");
    const pages = Map.groupBy(index.search(words), ({ id }) => String(id).split("#")[0]);
    return [...pages.values()]
      .map((hits) => ({ hits, score: scoreOfPage(hits) * titleFactor(hits, title) }))
      .sort((one, other) => other.score - one.score)
      .flatMap(({ hits }) => hits.slice(0, maxOfOnePage))
      .slice(0, maxResults)
      .flatMap(({ id, terms }) => {
        const section = byAddress.get(id);
        return section ? [{ section, stems: new Set(terms) }] : [];
      });
  };

  /** Whoever asks for a page by its name finds it first. */
  function titleFactor(hits: readonly SearchResult[], title: string): number {
    const section = byAddress.get(hits[0]?.id);
    return section && stemsOf(section.page).join(" ") === title ? 10 : 1;
  }
}

/**
 * The documentation answers questions; an article tells more, and the other pages are for who does not know them. What
 * was new one day names everything.
 */
function weightOf(address: string): number {
  if (address.startsWith("/docs/changelog")) return 0.8;
  if (address.startsWith("/docs")) return 1;
  return address.startsWith("/blog/") ? 0.55 : 0.7;
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
