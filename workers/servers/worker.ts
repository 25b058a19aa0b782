export { Bundles } from "./bundles";
export { Fleet } from "./fleet";
export { History } from "./history";

export default {
  /** Nothing is at its own hostname: the site calls it by its binding. */
  fetch: () => new Response("Not found\n", { status: 404 }),
} satisfies ExportedHandler<ServersEnv>;
