import { expect, test } from "vitest";
import { readForm } from "../../../app/http/body.server.ts";

function posted(body: string): Request {
  return new Request("https://www.example.com/", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
}

test("of a field that is sent twice the first counts, however it is read", async () => {
  const form = await readForm(posted("intent=unlink&intent=delete&a=1&intent=enrol"));
  expect(form.get("intent")).toBe("unlink");
  expect(Object.fromEntries(form)).toEqual({ intent: "unlink", a: "1" });
  expect(form.getAll("intent")).toEqual(["unlink"]);
});

test("what is no form reads as an empty one", async () => {
  const json = new Request("https://www.example.com/", { method: "POST", body: '{"intent":"x"}' });
  expect([...(await readForm(json))]).toEqual([]);
});
