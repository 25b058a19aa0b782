import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { linkLabels } from "../../../app/content/link-words.ts";
import { mailTemplates, notifications } from "../../../fakes/supabase/mail-templates.ts";
import { plainText } from "../../../fakes/supabase/plain-text.ts";

const config = readFileSync("supabase/config.toml", "utf8");

/** The auth server's fake invites nobody, so only a hosted project has this one. */
const templates = {
  ...mailTemplates,
  invite: {
    subject: "Your LiveKit Deploy account",
    content_path: "supabase/templates/invite.html",
  },
};

const expected = {
  invite: { type: "email", code: false },
  confirmation: { type: "email", code: true },
  magic_link: { type: "email", code: true },
  recovery: { type: "recovery", code: true },
  email_change: { type: "email_change", code: false },
} as const;

test.each(Object.entries(templates))("%s is the same here and at Supabase", (name, template) => {
  const file = template.content_path.split("/").at(-1);
  expect(config).toContain(
    `[auth.email.template.${name}]\nsubject = "${template.subject}"\ncontent_path = "./supabase/templates/${file}"`,
  );
});

test.each(Object.entries(templates))("%s says all that it must", (name, template) => {
  const { type, code } = expected[name as keyof typeof expected];
  const html = readFileSync(template.content_path, "utf8");
  const link = `{{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}&amp;type=${type}&amp;next={{ .RedirectTo }}`;
  expect(html.match(/href="[^"]*"/g)).toEqual([`href="${link}"`]);
  expect(html.includes("{{ .Token }}")).toBe(code);
  expect(html).toContain("prefers-color-scheme: dark");
  expect(html).toContain('<html lang="en">');
  expect(html).toContain("ignore this mail");
  // Nothing is loaded: no picture counts who opened the mail.
  expect(html).not.toMatch(/<img|src=|url\(|https?:/);

  const text = plainText(html);
  expect(text).toContain(link.replaceAll("&amp;", "&"));
  expect(text).not.toMatch(/<|&amp;|color-scheme/);
});

test.each([
  ["confirmation", linkLabels.signup],
  ["invite", linkLabels.signup],
  ["magic_link", linkLabels.email],
  ["email_change", linkLabels.email_change],
] as const)("the button of %s has the words of the page that it leads to", (name, page) => {
  const html = readFileSync(templates[name].content_path, "utf8");
  expect(/<a [^>]*>([^<]*)</.exec(html)?.[1]).toBe(page.button);
});

test.each([
  ["confirmation", linkLabels.signup],
  ["recovery", linkLabels.recovery],
  ["email_change", linkLabels.email_change],
] as const)("%s is headed like the page that it leads to", (name, page) => {
  const html = readFileSync(templates[name].content_path, "utf8");
  expect(/<h1[^>]*>([^<]*)</.exec(html)?.[1]).toBe(page.title);
});

test.each(Object.entries(notifications))(
  "the notification %s is the same here and at Supabase, and asks for nothing",
  (name, { subject, content_path }) => {
    const file = content_path.split("/").at(-1);
    expect(config).toContain(
      `[auth.email.notification.${name}]\nenabled = true\nsubject = "${subject}"\ncontent_path = "./supabase/templates/${file}"`,
    );
    const html = readFileSync(content_path, "utf8");
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="{{ .SiteURL }}/dashboard/account"']);
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).not.toMatch(/<img|src=|url\(|https?:/);
  },
);

test("every mail of the auth server that leads to the site has a template of ours", () => {
  const named = [...config.matchAll(/^\[auth\.email\.template\.(\w+)\]$/gm)].map(
    ([, name]) => name,
  );
  expect(named.toSorted()).toEqual(Object.keys(expected).toSorted());
});
