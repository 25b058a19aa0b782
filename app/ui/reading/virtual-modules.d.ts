/** Where the file of the page script is; undefined in the browser. See `scripts/vite/page-script.ts`. */
declare module "virtual:page-script" {
  const address: string | undefined;
  export default address;
}

/** Where the sections are that search looks through. See `scripts/vite/markdown/plugin.ts`. */
declare module "virtual:search-index" {
  const address: string;
  export default address;
}
