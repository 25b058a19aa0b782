import { DurableObject } from "cloudflare:workers";

/** What one workspace's servers are like now. */
export class Fleet extends DurableObject<ServersEnv> {}
