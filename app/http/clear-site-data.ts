/**
 * What pages kept in the browser goes, without script as with it: drafts, the receivers of a mail merge,
 * pages in the back-forward cache. Not "cookies": that would take those of other hosts of the domain.
 */
export const clearSiteData: [name: string, value: string] = [
  "clear-site-data",
  '"cache", "storage"',
];
