import { answerMachine } from "~/features/servers/ingest/endpoints.server";
import { answerPage, isLivePath } from "~/features/servers/live/endpoint.server";
import {
  answerPagerDuty,
  isPagerPath,
} from "~/features/servers/notifications/pagerduty-webhook.server";

export { Api } from "./api";
export { Bundles } from "./bundles";
export { Checks } from "./checks";
export { Fleet } from "./fleet";
export { Fleets } from "./fleets";
export { History } from "./history";
export { Outages } from "./outages";
export { Webhooks } from "./webhooks";

export default {
  fetch: (request, env) =>
    isLivePath(request)
      ? answerPage(request, env)
      : isPagerPath(request)
        ? answerPagerDuty(request, env)
        : answerMachine(request, env),
} satisfies ExportedHandler<ServersEnv>;
