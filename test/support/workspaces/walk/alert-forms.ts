import type { Fields, FormLine } from "./form-line.ts";
import type { SiteWorld } from "./site-world.ts";

const atAlerts = (done: string) => new RegExp(`^leads to .*/alerts\\?done=${done}`);

const newKey = () => crypto.randomUUID().replaceAll("-", "");

/** The channels that the page of the team lists, by their id. */
async function channels({ founder, base }: SiteWorld): Promise<string[]> {
  const page = await (await founder.browser.request(`${base}/alerts`)).text();
  const ids = [...page.matchAll(/name="channel" value="([^"]+)"/g)].map(([, id = ""]) => id);
  return [...new Set(ids)];
}

/** The fields of a form that adds a channel, once the team has none. */
function adds(fields: (world: SiteWorld) => Fields): FormLine["fields"] {
  return async (world) => {
    for (const channel of await channels(world)) {
      await world.founder.browser.post(`${world.base}/alerts`, { intent: "remove", channel });
    }
    return fields(world);
  };
}

/** The fields of a form about a channel that was just added. */
function about(fields: Fields): FormLine["fields"] {
  const add = adds(() => ({ intent: "add-pagerduty", key: newKey() }));
  return async (world) => {
    const added = typeof add === "function" ? await add(world) : add;
    await world.founder.browser.post(`${world.base}/alerts`, { ...added });
    const [channel = ""] = await channels(world);
    return { ...fields, channel };
  };
}

const rota = { intent: "rota", weekday: "1", hour: "9" };
const days = { from: "2027-03-01", until: "2027-03-05" };

/** The fields of a form about a rota in which a member is who has the only channel. */
function inRota(fields: (world: SiteWorld) => Fields): FormLine["fields"] {
  const add = adds(({ ids }) => ({ intent: "add-mail", person: ids.bystander }));
  return async (world) => {
    const { founder, base, ids } = world;
    const added = typeof add === "function" ? await add(world) : add;
    await founder.browser.post(`${base}/alerts`, { ...added });
    await founder.browser.post(`${base}/alerts`, { ...rota, "person-0": ids.bystander });
    return fields(world);
  };
}

/** The forms of the page of alerts. Whom a workspace notifies is in no table. */
export const alertForms: Readonly<Record<string, FormLine>> = {
  "/dashboard/alerts add-mail": {
    needs: "alerts",
    fields: adds(({ ids }) => ({ intent: "add-mail", person: ids.bystander })),
    done: atAlerts("added"),
  },
  "/dashboard/alerts add-pagerduty": {
    needs: "alerts",
    fields: adds(() => ({ intent: "add-pagerduty", key: newKey() })),
    done: atAlerts("added"),
  },
  "/dashboard/alerts add-webhook": {
    needs: "alerts",
    fields: adds(() => ({ intent: "add-webhook", url: "https://hooks.example.com/okapi" })),
    done: /^200.*whsec_/,
  },
  "/dashboard/alerts add-service": {
    needs: "alerts",
    fields: adds(() => ({
      ...{ intent: "add-service", kind: "ntfy", url: `https://ntfy.sh/${newKey()}` },
    })),
    done: atAlerts("added"),
  },
  "/dashboard/alerts turn": {
    needs: "alerts",
    fields: about({ intent: "turn", turn: "second" }),
    done: atAlerts("second"),
  },
  "/dashboard/alerts test": {
    needs: "alerts",
    fields: about({ intent: "test" }),
    done: atAlerts("tested"),
  },
  "/dashboard/alerts pager-secret": {
    needs: "alerts",
    fields: about({ intent: "pager-secret", secret: "s3cret".repeat(8) }),
    done: atAlerts("answers"),
  },
  "/dashboard/alerts quiet": {
    needs: "alerts",
    fields: about({ intent: "quiet", from: "22", until: "7" }),
    done: atAlerts("quiet"),
  },
  "/dashboard/alerts zone": {
    needs: "alerts",
    fields: adds(() => ({ intent: "zone", zone: "Europe/Berlin" })),
    done: atAlerts("zone"),
  },
  "/dashboard/alerts rota": {
    needs: "alerts",
    fields: inRota(({ ids }) => ({ ...rota, "person-0": ids.bystander })),
    done: atAlerts("rota$"),
  },
  "/dashboard/alerts rota-end": {
    needs: "alerts",
    fields: inRota(() => ({ intent: "rota-end" })),
    done: atAlerts("rota-end"),
  },
  "/dashboard/alerts absence": {
    needs: "alerts",
    fields: inRota(({ ids }) => ({ intent: "absence", person: ids.bystander, ...days })),
    done: atAlerts("absence$"),
  },
  "/dashboard/alerts absence-end": {
    needs: "alerts",
    fields: inRota(({ ids }) => ({ intent: "absence-end", person: ids.bystander, ...days })),
    done: atAlerts("absence-end"),
  },
  "/dashboard/alerts remove": {
    needs: "alerts",
    fields: about({ intent: "remove" }),
    done: atAlerts("removed"),
  },
};
