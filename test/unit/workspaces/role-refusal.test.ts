import { expect, test } from "vitest";
import { isRoleRefusal } from "~/platform/database/role-refusal.ts";

test("only a refusal of our own functions is about the role, and no right that PostgreSQL was never given", () => {
  const code = "42501";
  expect(isRoleRefusal({ code, message: "This member may not make deployments." })).toBe(true);
  expect(isRoleRefusal({ code, message: "permission denied for function save" })).toBe(false);
  expect(isRoleRefusal({ code: "P0001", message: "This member may not do this." })).toBe(false);
});
