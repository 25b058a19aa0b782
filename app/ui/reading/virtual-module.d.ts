/** Where the file of the page script is; undefined in the browser. See `scripts/vite/page-script.ts`. */
declare module "virtual:page-script" {
  const address: string | undefined;
  export default address;
}
