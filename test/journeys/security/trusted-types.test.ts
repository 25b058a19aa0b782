import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { testInProof } from "../../support/run/variants.ts";

test("text becomes neither HTML nor a script, and a policy of another name is refused", async () => {
  await using person = await openPage();
  await person.visit("/docs/api");
  // The browser writes each of these to the console.
  for (const sink of [
    "TrustedHTML",
    "TrustedScriptURL",
    "TrustedScript",
    "Creating a TrustedTypePolicy",
  ]) {
    person.expectProblem(sink);
  }
  const refused = await person.page.evaluate(() => {
    const tried = (act: () => unknown) => {
      try {
        act();
        return "done";
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = document.createElement("script");
    return {
      html: tried(() => {
        document.body.innerHTML = "<img src=x onerror=window.hit=1>";
      }),
      address: tried(() => {
        script.src = "https://evil.example/x.js";
      }),
      lookalike: tried(() => {
        script.src = "https://js.stripe.com.evil.example/x.js";
      }),
      code: tried(() => {
        script.text = "window.hit = 1";
      }),
      policy: tried(() =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy("anything", {}),
      ),
    };
  });
  expect(refused).toEqual({
    html: "TypeError",
    address: "TypeError",
    lookalike: "TypeError",
    code: "TypeError",
    policy: "TypeError",
  });
});

testInProof(
  "links lead without a new document to pages with long text, samples and data for search engines",
  async () => {
    await using person = await openPage();
    const { page } = person;
    await person.visit("/services");
    await page.evaluate(() => {
      (window as unknown as { sameDocument: boolean }).sameDocument = true;
    });
    for (const [path, shows] of [
      ["/docs", "#page-text h2"],
      ["/docs/api", "#page-text pre code span"],
      ["/blog", "main h2"],
      ["/blog/ports-and-firewalls", '#page-text, head script[type="application/ld+json"]'],
      ["/pricing", 'script[type="application/ld+json"]'],
      ["/faq", 'script[type="application/ld+json"]'],
      ["/privacy", "#page-text h2"],
    ] as const) {
      await page.locator(`a[href="${path}"]`).first().click();
      await person.arrive(path);
      await page.locator(shows).first().waitFor({ state: "attached" });
    }
    const stayed = await page.evaluate(
      () => (window as unknown as { sameDocument?: boolean }).sameDocument,
    );
    expect(stayed).toBe(true);
  },
);
