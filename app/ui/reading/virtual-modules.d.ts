/** Where the file of the page script is; undefined in the browser. See `scripts/vite/page-script.ts`. */
declare module "virtual:page-script" {
  const address: string | undefined;
  export default address;
}

/** Where the list of all markdown pages is; in development the list itself. See `scripts/vite/markdown/plugin.ts`. */
declare module "virtual:pages" {
  const listed: string | import("./page").ListedPages;
  export default listed;
}

/** Where the sections are that search looks through. See `scripts/vite/markdown/plugin.ts`. */
declare module "virtual:search-index" {
  const address: string;
  export default address;
}
