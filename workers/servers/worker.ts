import { answerPage, isLivePath } from "./live/endpoint";
import { answerMachine } from "./machines/endpoints";

export { Bundles } from "./bundles";
export { Fleet } from "./fleet/fleet";
export { Fleets } from "./fleets";
export { History } from "./history";
export { Outages } from "./outages";

export default {
  fetch: (request, env) =>
    isLivePath(request) ? answerPage(request, env) : answerMachine(request, env),
} satisfies ExportedHandler<ServersEnv>;
