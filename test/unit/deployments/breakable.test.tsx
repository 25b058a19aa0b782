import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Breakable } from "../../../app/features/deployments/page/breakable.tsx";

const markup = (text: string) => renderToStaticMarkup(<Breakable text={text} />);

test("a command wraps after its punctuation, and never between the hyphens of an option", () => {
  const command = "sh cluster.sh leave NODE --gone";
  expect(markup(command)).toContain('<span class="whitespace-nowrap">--gone</span>');
  expect(markup(command)).toContain("cluster.<wbr/>sh leave NODE ");
  expect(markup("media-2--x")).not.toContain("nowrap");
  // What is copied is the command, letter by letter.
  expect(markup(command).replaceAll(/<[^>]*>/g, "")).toBe(command);
});
