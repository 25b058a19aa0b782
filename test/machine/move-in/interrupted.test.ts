import { expect, test, vi } from "vitest";
import { type LayoutName, machineOf } from "../../support/move-in/layouts.ts";
import type { MoveInMachine } from "../../support/move-in/machine.ts";
import { amount, testInProof } from "../../support/run/variants.ts";

vi.setConfig({ testTimeout: 600_000 });

const sideBefore = (machine: MoveInMachine) => ({ tree: machine.tree(), state: machine.state() });

/** On which side a machine is after its boot; it is there in every detail. */
function sideOf(machine: MoveInMachine, before: ReturnType<typeof sideBefore>): "theirs" | "ours" {
  const tree = machine.tree();
  expect(tree.join("\n")).not.toContain("wants/livekit-move-in.service");
  if (machine.has("opt/livekit/deployment.env")) {
    expect(machine.state()).toMatchObject({ ours: true, units: [] });
    return "ours";
  }
  // Before its unit is enabled nothing of theirs is touched, and what was begun is in the way of nobody.
  const others = tree.filter((line) => !/\.moved-out-|livekit-move-in/.test(line));
  // Whoever is told to end it finds what that needs.
  if (machine.has("var/lib/livekit-move-in/side"))
    expect(machine.has("var/lib/livekit-move-in/bundle/move-in.sh")).toBe(true);
  expect(others).toEqual(before.tree);
  expect(machine.state()).toEqual(before.state);
  return "theirs";
}

/** At which of so many changes the power goes: the first ones, the last ones, and between them as many as this run tries. */
function cuts(changes: number): number[] {
  const count = amount({ inTest: 4, inProof: changes });
  const between = Array.from({ length: count }, (_, index) =>
    Math.round(((index + 1) * changes) / (count + 1)),
  );
  return [...new Set([1, 2, ...between, changes - 1, changes])];
}

function interrupt(name: LayoutName) {
  using made = machineOf(name);
  const before = sideBefore(made);
  using moved = made.copy();
  expect(moved.moveIn().status).toBe(0);
  const sides = cuts(moved.changes()).map((cutAt) => {
    using machine = made.copy();
    machine.moveIn([], { cutAt });
    machine.boot();
    return sideOf(machine, before);
  });
  expect(sides.at(0)).toBe("theirs");
  expect(sides.at(-1)).toBe("ours");

  using gone = moved.copy();
  expect(gone.moveOut().status).toBe(0);
  for (const cutAt of cuts(gone.changes())) {
    using machine = moved.copy();
    machine.moveOut({ cutAt });
    machine.boot();
    if (sideOf(machine, before) === "theirs") continue;
    expect(machine.moveOut().status).toBe(0);
    expect(sideOf(machine, before)).toBe("theirs");
  }
}

test("wherever the power goes while a machine is moved in or out, the boot leads to one side, and all of it", () =>
  interrupt("a unit of systemd"));

testInProof("so it is where their files are in our folder", () =>
  interrupt("livekit/deploy with its unit"),
);
