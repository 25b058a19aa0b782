import { HtmlValidate } from "html-validate/node";
import { expect, test } from "vitest";
import { siteUrl } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
});

/** Beside the public pages what a visitor may come to, and an address that nothing has. */
const paths = [...publicPaths(), "/signin", "/signin/sso", "/success", "/no-such-page"];

test.each(paths)("the HTML of %s is valid", async (path) => {
  // A connection that idles while a page is validated may be closed as the next request arrives.
  const html = await (await fetch(siteUrl + path, { headers: { connection: "close" } })).text();
  const { results } = await validator.validateString(html, path);
  const messages = results.flatMap((result) =>
    result.messages.map(({ ruleId, message, line, column }) => ({
      ...{ ruleId, message },
      at: html.split("\n")[line - 1]?.slice(Math.max(0, column - 60), column + 100),
    })),
  );
  expect(messages).toEqual([]);
});
