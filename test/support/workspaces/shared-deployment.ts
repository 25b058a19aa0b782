import { buy } from "../billing/hosted-pages.ts";
import type { OpenPage } from "../browser/browser.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { runSql } from "../site/control-fakes.ts";
import { addMember, personalWorkspace } from "./workspaces.ts";

const ada = "customer.one@example.com";
export const ben = "customer.two@example.com";

/**
 * Ada and Ben in their browsers: Ada's workspace "Acme calls" has a plan and a deployment, and Ben is a member. Answers
 * what the addresses of both begin with.
 */
export async function shareDeployment(owner: OpenPage, member: OpenPage, role = "operator") {
  const visitor = await owner.signIn(ada);
  await member.signIn(ben);
  await buy(visitor, "pro");
  const id = await storeDeployment(ada, fullOptions(), "Okapi server");
  const team = await personalWorkspace(ada);
  await runSql("update public.workspaces set name = 'Acme calls' where id = $1", [team.id]);
  await addMember(team, ben, role);
  const base = `/dashboard/w/${team.slug}`;
  return { base, deployment: `${base}/deployments/${id}`, team };
}
