import { contactTopics } from "~/content/contact";
import { googleTools } from "~/content/google-tools";
import { offerKeys } from "~/content/plans";
import { services } from "~/content/services";
import { storyIds } from "~/content/stories";

/**
 * The query parameters that change what a public page shows, with every value they can have.
 * The page cache keeps one entry for each; anything else in a query is ignored.
 */
export const pageParameters: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    "/contact": { topic: contactTopics.map(({ value }) => value) },
    "/pricing": { plan: offerKeys },
    "/spotlight": { story: storyIds },
    "/services": { service: services.map(({ kind }) => kind) },
    "/google-services": {
      tool: googleTools.map(({ id }) => id),
      tab: [...new Set(googleTools.flatMap(({ tabs }) => tabs))],
    },
  };
