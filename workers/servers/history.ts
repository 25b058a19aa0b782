import { DurableObject } from "cloudflare:workers";

/** What happened on one server. */
export class History extends DurableObject<ServersEnv> {}
