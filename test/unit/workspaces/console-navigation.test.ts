import { expect, test } from "vitest";
import { consoleNavigation } from "../../../app/content/console.ts";

const labels = (mayBill: boolean) =>
  consoleNavigation("/dashboard", mayBill).map(({ label }) => label);

test("everybody finds members and settings in the navigation, and billing who may do it (Low)", () => {
  expect(labels(true)).toEqual(expect.arrayContaining(["Billing", "Members", "Settings"]));
  expect(labels(false)).toEqual(labels(true).filter((label) => label !== "Billing"));
});
