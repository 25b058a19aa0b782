/**
 * The header that deletes what our pages have stored in the browser, also without JavaScript: drafts, the
 * recipients of a mail merge, and pages in the back/forward cache. It does not name "cookies", because that would
 * delete cookies of other hosts of the domain too.
 */
export const clearSiteData: [name: string, value: string] = [
  "clear-site-data",
  '"cache", "storage"',
];
