import { expect, test } from "vitest";
import { withoutBodies, withoutUnusedMethods } from "../../../workers/leave-out-methods.ts";

const library = `export class Client {
  constructor() { this.used = this.unused.bind(this); }
  get name() { return this.label(); }
  label() { return "client"; }
  used() { return this.helper() ?? this.browserOnly(); }
  helper() { return "helped"; }
  browserOnly() { return "window"; }
  async unused() { return "much code"; }
}`;

/** The class in `code`, with a `leftOut` that throws. */
function load(code: string) {
  const leftOut = () => {
    throw new Error("left out");
  };
  const make = new Function("leftOut", `${code.replace("export ", "return ")}`);
  const Client: new () => Record<string, () => unknown> & { name: string } = make(leftOut);
  return new Client();
}

test("a named method works as before, with all that it and the accessors call", () => {
  const client = load(withoutUnusedMethods(library, ["used"]));
  expect(Object.getPrototypeOf(client).used.call(client)).toBe("helped");
  expect(client.browserOnly?.()).toBe("window");
  expect(client.name).toBe("client");
});

test("a method that nothing names, and one that is cut, has no code and says so when it is called", async () => {
  const code = withoutUnusedMethods(library, ["used"], ["browserOnly"]);
  expect(code).not.toContain("much code");
  expect(code).not.toContain("window");
  const client = load(code);
  await expect(client.unused?.()).rejects.toThrow("left out");
  expect(() => client.browserOnly?.()).toThrow("left out");
});

test("a method that the library does not have any more ends the build", () => {
  expect(() => withoutUnusedMethods(library, ["renamed"])).toThrow("renamed");
});

test("a named function, and a named method of an object, has no code and says so, and the others work as before", () => {
  const functions = `export function first() { return "much code"; }
const object = { second() { return "more code"; }, third: function () { return "third"; } };
function fourth() { return object; }`;
  const code = withoutBodies(functions, ["first", "second"]);
  expect(code).not.toMatch(/much|more/);
  const leftOut = () => {
    throw new Error("left out");
  };
  const made = new Function("leftOut", `${code.replace("export ", "")}; return { first, fourth };`);
  const { first, fourth } = made(leftOut);
  expect(first).toThrow("left out");
  expect(fourth().second).toThrow("left out");
  expect(fourth().third()).toBe("third");
  expect(() => withoutBodies(functions, ["third", "renamed"])).toThrow("renamed");
});
