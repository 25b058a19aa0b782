import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { communityLinks } from "../../../app/content/chrome.ts";
import home from "../../../app/content/home.json" with { type: "json" };
import { planLimits, yearlyWords } from "../../../app/content/plan-words.ts";
import { planKeys } from "../../../app/content/plans.ts";
import notes from "../../../app/features/deployments/wizard/machine-notes.json" with {
  type: "json",
};
import { costExample } from "../../../app/features/marketing/cost-example.server.ts";
import { picturedScreens } from "../../../app/features/marketing/pictures/pictured-screens.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

const htmlOf = async (path: string) => await (await fetch(siteUrl + path)).text();
const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";

let homePage: string;
let pricing: string;

beforeAll(async () => {
  [homePage = "", pricing = ""] = await Promise.all(["/", "/pricing"].map(htmlOf));
});

test("the home page says what the console does (1)", () => {
  const words = textOfHtml(mainOf(homePage));
  for (const word of ["console", "doctor", "incident", "acknowledges", "PagerDuty", "test call"]) {
    expect(words, word).toMatch(new RegExp(word, "i"));
  }
});

/** What the console answers of a call, by the names of its screens, with the page of each. */
const answersOfCalls = {
  Sessions: "/docs/data-processing",
  "call explained": "/docs/explain-a-call",
  "Why calls fail": "/docs/call-evidence",
  "connection test": "/docs/connection-test",
  "live rooms": "/docs/live-rooms",
  "from outside": "/docs/checks",
  "agent insights": "/docs/agent-insights",
};

test("the home page sells each way to know why somebody could not connect, with a picture and the page of each (7)", () => {
  const [section = ""] =
    /<section aria-labelledby="answers"[\s\S]*?<\/section>/.exec(homePage) ?? [];
  const words = textOfHtml(section);
  for (const [name, page] of Object.entries(answersOfCalls)) {
    expect(words, name).toMatch(new RegExp(name, "i"));
    expect(section, page).toContain(`href="${page}"`);
  }
  expect(section).toContain("/call-wide-light-");
  expect(textOfHtml(mainOf(homePage))).toContain("Can I see who is in my rooms?");
});

test("the price list and the services name them too, and say that both plans have them (7)", async () => {
  const priced = textOfHtml(mainOf(pricing));
  const services = textOfHtml(mainOf(await htmlOf("/services")));
  for (const name of ["Sessions", "live rooms", "connection test", "from outside"]) {
    expect(priced, name).toMatch(new RegExp(name, "i"));
    expect(services, name).toMatch(new RegExp(name, "i"));
  }
  expect(priced).toContain("Their limits are the same in both.");
  for (const row of [/ Why a call failed /, / Live rooms /, / Agent insights /]) {
    expect(priced.slice(priced.search(row))).toMatch(/^.{1,320}? The same\. /);
  }
});

test("the price list says in which plan single sign-on is, and by which protocol (11)", () => {
  expect(textOfHtml(mainOf(pricing))).toMatch(
    / Single sign-on .*Not included: it is part of Enterprise\..* by SAML.*OpenID Connect is not offered\./,
  );
});

test.each(["/pricing", "/services", "/faq", "/about", "/spotlight", "/cloud-architecture"])(
  "%s says that there is a console (1)",
  async (path) => {
    expect(textOfHtml(mainOf(await htmlOf(path)))).toMatch(/\bconsole\b/);
  },
);

test("the stories come after what anybody can repeat (6)", async () => {
  const main = mainOf(await htmlOf("/spotlight"));
  const demonstration = main.indexOf('action="/try"');
  expect(demonstration).toBeGreaterThan(0);
  expect(demonstration).toBeLessThan(main.indexOf("VirtualClass Pro"));
  expect(main).toContain('href="/proof"');
});

/** The addresses in each set of AVIFs: for plain screens, and for others the large one with its density. */
const avifsOf = (html: string) =>
  [...html.matchAll(/srcSet="([^" ]+\.avif), ([^" ]+\.avif) (1\.5|2)x"/gi)].map(
    ([, plain = "", large = "", density = ""]) => ({ plain, large, density }),
  );

/** The design's limit for the home page with all that it loads and the first of its pictures. */
const maxHomeBytes = 150_000;

test("the whole home page with its first picture on a plain screen has at most 150 kB", async () => {
  const first = /<picture[\s\S]*?<\/picture>/.exec(homePage)?.[0] ?? "";
  const pictures = avifsOf(first).map(({ plain }) => plain);
  const sizes = await Promise.all(
    pictures.map(async (address) => (await (await fetch(siteUrl + address)).bytes()).length),
  );
  expect(sizes).toHaveLength(2);
  const loaded = [
    ...homePage.matchAll(
      /(?:<link rel="(?:stylesheet|preload)" href|<script type="module" src)="([^"]+)"/g,
    ),
  ].map(([, address = ""]) => address);
  expect(loaded.map((address) => address.split(".").at(-1)).sort()).toEqual(["css", "js", "woff2"]);
  const css = await htmlOf(loaded.find((address) => address.endsWith(".css")) ?? "");
  const fonts = [...css.matchAll(/url\(([^)]+\.woff2)\)/g)].map(([, address = ""]) => address);
  const addresses = new Set([
    ...loaded,
    ...fonts.map((name) => new URL(name, siteUrl + loaded[0]).pathname),
  ]);
  let bytes = gzipSync(homePage).length + Math.max(...sizes);
  for (const address of addresses) {
    const content = await (await fetch(siteUrl + address)).bytes();
    bytes += address.endsWith(".woff2") ? content.length : gzipSync(content).length;
  }
  expect(bytes).toBeGreaterThan(80_000);
  expect(bytes).toBeLessThan(maxHomeBytes);
});

/** The pictures of a page, each of which has both formats, says what it shows, keeps its place and is lazy. */
function picturesOf(html: string): string[] {
  const images = [...mainOf(html).matchAll(/<picture[\s\S]*?<\/picture>/g)].map(([each]) => each);
  for (const image of images) {
    expect(image).toMatch(/<img [^>]*alt="[^"]{40,}"[^>]*width="\d+" height="\d+" loading="lazy"/);
    expect(image.match(/<source [^>]*type="image\/avif"/g)).toHaveLength(2);
    expect(image).toMatch(/src="[^"]+\.webp"/);
  }
  return images;
}

test("/services shows three screens that the choices lead to, in both themes (2)", async () => {
  const images = picturesOf(await htmlOf("/services"));
  const shown = (name: keyof typeof picturedScreens, theme: string) =>
    images.filter((image) => image.includes(`/${name}-wide-${theme}-`)).length;
  expect(images).toHaveLength(6);
  for (const name of ["review", "server", "call"] as const) {
    expect([shown(name, "light"), shown(name, "dark")], name).toEqual([1, 1]);
  }
});

test("the home page shows each pictured screen in both themes, lazily and with its size (2)", async () => {
  const images = picturesOf(homePage);
  expect(images).toHaveLength(2 * Object.keys(picturedScreens).length);
  const [{ plain: address } = { plain: "" }] = avifsOf(images[0] ?? "");
  const picture = await fetch(siteUrl + address);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/avif"]);
  expect(picture.headers.get("cache-control")).toContain("immutable");
  for (const image of images) {
    expect(avifsOf(image)).toHaveLength(2);
    expect(image.match(/srcSet="[^" ]+\.webp, [^" ]+\.webp (1\.5|2)x"/gi)).toHaveLength(2);
  }
});

test("it says what a month pays for beside two other ways, with dated sources (3)", () => {
  const words = textOfHtml(homePage);
  for (const { name } of home.comparison.rows) expect(words).toContain(name);
  for (const { href, read } of home.comparison.sources) {
    expect(homePage).toContain(`href="${href}"`);
    expect(read).toMatch(/ 20\d\d/);
  }
});

test("it says that early access can be bought today (5), and leads to what was measured (6)", () => {
  expect(textOfHtml(homePage)).toContain("Open to everybody: buy a plan and boot a server today");
  expect(mainOf(homePage)).toContain('href="/proof"');
});

test("the price list says what its words mean, with the limits that are enforced (7)", () => {
  const words = textOfHtml(mainOf(pricing));
  for (const plan of planKeys) {
    for (const { name, limit } of planLimits(plan)) expect(words).toContain(`${name} ${limit}`);
  }
  for (const word of ["Monitoring", "Domains", "Backups", "Support", "Community"]) {
    expect(words).toContain(` ${word} `);
  }
  expect(pricing).toContain('href="/docs/limits#of-a-plan"');
  expect(pricing).toContain('href="/docs/sizing"');
});

test("the price list adds plan, machine and traffic up as their prices say, with links to the sources (7)", () => {
  const example = costExample(notes);
  const [section = ""] =
    /aria-labelledby="total"[\s\S]*?aria-labelledby="meanings"/.exec(pricing) ?? [];
  const words = textOfHtml(section);
  expect(example?.totals).toHaveLength(2);
  for (const shown of example?.totals ?? []) {
    for (const figure of [shown.machine, shown.machinePrice, shown.trafficPrice, shown.total]) {
      expect(words).toContain(figure);
    }
    expect(words).toContain(shown.source.says);
    expect(section).toContain(`href="${shown.source.to}"`);
    expect(section).toContain(`href="${shown.calculator.replaceAll("&", "&amp;")}"`);
  }
});

test("both pages say why a year of Pro costs less than twelve months of Basic (8)", () => {
  for (const html of [homePage, pricing]) expect(textOfHtml(html)).toContain(yearlyWords);
});

test("the targets that nothing measured are no large figures of the home page (9)", () => {
  for (const { figure } of home.claims) {
    const shown = figure.replace("<", "&lt;");
    const [element = ""] = new RegExp(`<dd[^>]*>${shown}</dd>`).exec(homePage) ?? [];
    expect(element, figure).not.toBe("");
    expect(element).not.toMatch(/text-(lg|xl|2xl|3xl)/);
  }
});

test("the home page has steps, prices, questions and a last word with both ways to begin (10)", () => {
  const main = mainOf(homePage);
  for (const id of ["how-it-works", "plans", "questions", "closing"]) {
    expect(main).toContain(`id="${id}"`);
  }
  const [closing = ""] = /<section aria-labelledby="closing"[\s\S]*$/.exec(main) ?? [];
  expect(closing).toMatch(/<form (?=[^>]*method="post")[^>]*action="\/try"/);
  expect(closing).toContain('href="/signup"');
});

test("pages of Google's tools and of models say what they have to do with a server (13)", async () => {
  for (const path of ["/google-services", "/openai-config"]) {
    const words = textOfHtml(mainOf(await htmlOf(path)));
    expect(words, path).toContain("on your server");
    expect(words, path).toContain("Your server runs without");
  }
  const foot = /<footer[\s\S]*<\/footer>/.exec(homePage)?.[0] ?? "";
  expect(foot.indexOf('href="/services"')).toBeLessThan(foot.indexOf('href="/google-services"'));
  for (const { href } of communityLinks) expect(foot).toContain(href);
});
