import { connectServer } from "../../servers/connect-server.ts";
import { controlFleet } from "../../servers/control-fleet.ts";
import type { Fields, FormLine } from "./form-line.ts";
import type { SiteWorld } from "./site-world.ts";

const toServer = /^leads to (\/dashboard(\/w\/\w+)?)?\/servers\/[^?]+$/;
const noIncident = "00000000-0000-4000-8000-000000000000";

/** The answer to a machine that asks for the server's place, as the form on the page has it; one asks where none does. */
async function answered(world: SiteWorld, intent: string): Promise<Fields> {
  const page = `/servers/${world.ids.server}`;
  const request = async () => (await world.formFields(page, {})).asked;
  const instance = `i-${crypto.randomUUID()}`;
  const report = () => world.machine.report(3, [], { instance });
  // After the first ten a server's reports are taken each 20 seconds.
  if (!(await request()) && (await report()).status === 429) {
    await controlFleet(world.url, world.ids.team, "clock", { ms: 20_000 });
    await report();
  }
  return { intent, asked: (await request()) ?? "" };
}

/** Both forms of an answer to a machine that asks for the server's place: too late, and in time. */
const answersToMachine = (intent: "allow" | "refuse"): readonly FormLine[] => [
  {
    what: "a machine that asks no more",
    needs: "servers",
    fields: { intent },
    done: /^409: .*Another machine asks now/,
  },
  {
    what: "the machine that asks",
    needs: "servers",
    fields: (world) => answered(world, intent),
    done: new RegExp(`^leads to (/dashboard(/w/\\w+)?)?/servers/[^?]+\\?notice=${intent}$`),
  },
];

/** A form about the cluster of a deployment. The team's deployment has one server, so it is gone for whoever may post it. */
const ofCluster = (fields: Fields): FormLine => ({
  needs: "alerts",
  fields: { ...fields, incident: noIncident },
  done: /^404: .*This deployment has no cluster now/,
});

/** The plan has room for one server, and another one of the team's has it. */
async function paused({ fleets, founder, ids, slug }: SiteWorld): Promise<Fields> {
  const connected = async () =>
    (await fleets.overview(ids.team)).servers.filter(({ retiredAt }) => retiredAt === undefined);
  if ((await connected()).length === 1) {
    const identity = { instance: "i-okapi-2", certificate: "okapi.example.com" };
    await connectServer({ owner: founder.browser, deployment: ids.deployment }, identity);
  }
  await fleets.update(ids.team, { name: "Okapi team", slug, servers: 1 }, []);
  const other = (await connected()).find(({ id }) => id !== ids.server);
  await fleets.keepServer(ids.team, other?.id ?? "");
  return { intent: "keep" };
}

/** The forms of a server's page. What servers are like is in no table. The last one ends it. */
export const serverForms: Readonly<Record<string, FormLine | readonly FormLine[]>> = {
  "/dashboard/servers/:id request-rollout": {
    needs: "rollout",
    fields: { intent: "request-rollout", version: "1" },
    done: /^409: .*cannot take up versions by itself/,
  },
  "/dashboard/servers/:id approve-rollout": {
    needs: "rollout",
    fields: { intent: "approve-rollout", rollout: noIncident },
    done: /^404: .*There is no such rollout any more/,
  },
  "/dashboard/servers/:id abort-rollout": {
    needs: "rollout",
    fields: { intent: "abort-rollout", rollout: noIncident },
    done: /^404: .*There is no such rollout any more/,
  },
  "/dashboard/servers/:id acknowledge": [
    {
      what: "what is over",
      needs: "alerts",
      fields: { intent: "acknowledge", incident: noIncident },
      done: /^404: .*This is over already/,
    },
    {
      what: "what lasts",
      needs: "alerts",
      fields: ({ ids }) => ({ intent: "acknowledge", incident: ids.incident }),
      done: toServer,
    },
  ],
  "/dashboard/servers/:id unacknowledge": {
    needs: "alerts",
    fields: ({ ids }) => ({ intent: "unacknowledge", incident: ids.incident }),
    done: toServer,
  },
  // Of all servers of the workspace in the address.
  "/dashboard many": {
    needs: "alerts",
    fields: { intent: "many", of: "all", act: "snooze-1" },
    done: /^leads to (\/dashboard(\/w\/\w+)?)?$/,
    isAnybodys: true,
  },
  "/dashboard/servers/:id snooze": [
    {
      what: "what is over",
      needs: "alerts",
      fields: { intent: "snooze", until: "1", incident: noIncident },
      done: /^404: .*This is over already/,
    },
    {
      what: "what lasts",
      needs: "alerts",
      fields: ({ ids }) => ({ intent: "snooze", until: "1", incident: ids.incident }),
      done: toServer,
    },
  ],
  "/dashboard/servers/:id maintenance": {
    needs: "alerts",
    fields: { intent: "maintenance", until: "1" },
    done: toServer,
  },
  "/dashboard/servers/:id set-threshold": {
    needs: "alerts",
    fields: { intent: "set-threshold", measure: "load", value: "90", severity: "page", of: "all" },
    done: toServer,
  },
  "/dashboard/servers/:id remove-threshold": [
    {
      what: "one that is gone",
      needs: "alerts",
      fields: { intent: "remove-threshold", threshold: noIncident },
      done: /^404: .*This threshold is not there any more/,
    },
    {
      what: "one that is there",
      needs: "alerts",
      fields: async ({ fleets, ids }) => {
        const wanted = { measure: "disk", value: 90, severity: "notify" } as const;
        await fleets.setThreshold(ids.team, wanted);
        const page = await fleets.server(ids.team, ids.server);
        const set = page?.thresholds?.find(({ measure }) => measure === "disk");
        return { intent: "remove-threshold", threshold: set?.id ?? "" };
      },
      done: toServer,
    },
  ],
  "/dashboard/servers/:id allow": answersToMachine("allow"),
  "/dashboard/servers/:id refuse": answersToMachine("refuse"),
  "/dashboard/servers/:id keep": [
    {
      what: "one that reports",
      needs: "servers",
      fields: { intent: "keep" },
      done: /^404: .*not paused/,
    },
    { what: "one that is paused", needs: "servers", fields: paused, done: toServer },
  ],
  "/dashboard/servers/:id label": {
    needs: "servers",
    fields: { intent: "label", labels: "okapi, eu" },
    done: toServer,
  },
  "/dashboard/servers/:id check": {
    needs: "servers",
    fields: { intent: "check" },
    done: /^leads to (\/dashboard(\/w\/\w+)?)?\/servers\/[^?]+\?notice=check$/,
  },
  "/dashboard/servers/:id disconnect": {
    needs: "servers",
    fields: { intent: "disconnect" },
    done: toServer,
  },
};

/** The forms about the cluster of a deployment, which are a server's too. */
export const clusterForms: Readonly<Record<string, FormLine>> = {
  "/dashboard/deployments/:id acknowledge": ofCluster({ intent: "acknowledge" }),
  "/dashboard/deployments/:id unacknowledge": ofCluster({ intent: "unacknowledge" }),
  "/dashboard/deployments/:id snooze": ofCluster({ intent: "snooze", until: "1" }),
  "/dashboard/deployments/:id maintenance": ofCluster({ intent: "maintenance", until: "1" }),
};
