import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Table } from "../../../app/ui/primitives/table.tsx";

test("a table says what it lists, and the keyboard reaches it to scroll", () => {
  const markup = renderToStaticMarkup(
    <Table caption="Required ports" columns={["Port", { label: "Copy", unseen: true }]}>
      <tbody />
    </Table>,
  );
  expect(markup).toMatch(/^<section tabindex="0" aria-label="Required ports"/);
  expect(markup).toMatch(/<caption[^>]*>Required ports<\/caption>/);
  expect(markup).toContain('<th scope="col">Port</th>');
  expect(markup).toContain('<th scope="col"><span class="sr-only">Copy</span></th>');
});
