import { beforeEach, test } from "vitest";
import { expectOneCount } from "../../support/agents/posts-at-once.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("a thousand posts of the same event, three at a time, count once", async () => {
  await expectOneCount(await customer(), 1_000);
}, 240_000);
