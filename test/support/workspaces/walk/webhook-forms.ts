import { webhookAddress } from "../../servers/arrived.ts";
import type { Fields, FormLine } from "./form-line.ts";
import type { SiteWorld } from "./site-world.ts";

const added = () => ({ intent: "add-webhook", url: webhookAddress("okapi"), people: "yes" });

/** Leaves the team without a webhook, as one that had one: what is noted waits for its webhooks. */
async function clear({ founder, base }: SiteWorld): Promise<void> {
  await founder.browser.post(`${base}/webhooks`, added());
  for (const webhook of await webhooks({ founder, base })) {
    await founder.browser.post(`${base}/webhooks`, { intent: "remove-webhook", webhook });
  }
}

/** The webhooks that the page of the team lists, by their id. */
async function webhooks({ founder, base }: Pick<SiteWorld, "founder" | "base">) {
  const page = await (await founder.browser.request(`${base}/webhooks`)).text();
  const ids = [...page.matchAll(/name="webhook" value="([^"]+)"/g)].map(([, id = ""]) => id);
  return [...new Set(ids)];
}

/** The fields of a form about a webhook that was just added, to which a test was sent. */
function about(fields: Fields): FormLine["fields"] {
  return async (world) => {
    await clear(world);
    const { founder, base } = world;
    await founder.browser.post(`${base}/webhooks`, added());
    const [webhook = ""] = await webhooks(world);
    const tested = { intent: "test-webhook", webhook };
    const page = await founder.browser.post(`${base}/webhooks`, tested);
    const [, event = ""] = /name="event" value="([^"]+)"/.exec(await page.text()) ?? [];
    return { ...fields, webhook, event };
  };
}

const line = (fields: FormLine["fields"], done: RegExp): FormLine => ({
  ...{ needs: "settings", fields, done, changes: ["webhook_events"] },
});

/** The forms of the page of webhooks. Where they are is in no table; of the audit log's lines there is which ones wait. */
export const webhookForms: Readonly<Record<string, FormLine>> = {
  "/dashboard/webhooks add-webhook": {
    ...line(async (world) => {
      await clear(world);
      return added();
    }, /^200.*whsec_/),
    isAnybodys: true,
  },
  "/dashboard/webhooks change-webhook": line(
    about({ intent: "change-webhook", alerts: "yes" }),
    /^200.*(The webhook is changed|"done","changed")/,
  ),
  "/dashboard/webhooks rotate-webhook": line(about({ intent: "rotate-webhook" }), /^200.*whsec_/),
  "/dashboard/webhooks test-webhook": line(
    about({ intent: "test-webhook" }),
    /^200.*(The test arrived|"done","tested")/,
  ),
  "/dashboard/webhooks disable-webhook": line(
    about({ intent: "disable-webhook" }),
    /^200.*(The webhook is off|"done","disabled")/,
  ),
  "/dashboard/webhooks enable-webhook": line(
    about({ intent: "enable-webhook" }),
    /^200.*(The webhook is on|"done","enabled")/,
  ),
  "/dashboard/webhooks repeat-event": line(
    about({ intent: "repeat-event" }),
    /^200.*(is being sent once more|"done","repeated")/,
  ),
  "/dashboard/webhooks remove-webhook": line(
    about({ intent: "remove-webhook" }),
    /^200.*(The webhook is removed|"done","removed")/,
  ),
};
