import { offers, type PlanKey, planQuotas, priceLabel } from "./plans.ts";
import { wholeNumber } from "./whole-number.ts";

/** What a deployment is. Texts that cannot read this say it in the same words. */
export const deploymentDefinition =
  "A deployment is the description of one server or one cluster: a name, your answers with its domain, and the files made from them.";

/** What the numbers of deployments and of servers have to do with each other, wherever both stand. */
export const deploymentMeaning = `${deploymentDefinition} Servers that report are counted apart: each machine counts from when it connects until you disconnect it, and a deployment has more than one while a new machine replaces the old one.`;

const { pro } = planQuotas;

/** What so many servers are for, where a deployment has one. Texts that cannot read this say it in the same words. */
export const serversMeaning = `Pro's ${pro.servers} are what one workspace was measured with, and a ceiling: with a server each, ${pro.deployments} deployments have ${pro.deployments}, and ${2 * pro.deployments} while all of them are replaced. The rest is room for machines that you make anew often and disconnect later.`;

/** What a plan's deployments and servers are, and how many each plan has. */
export const limitsMeaning = `${deploymentMeaning} Basic has one, Pro up to ${pro.deployments}; with Pro up to ${pro.servers} machines report to the console. ${serversMeaning}`;

/** The limits of a plan as people read them, from what is enforced. */
export function planLimits(plan: PlanKey): readonly { name: string; limit: string }[] {
  const { deployments, servers, members } = planQuotas[plan];
  return [
    { name: "Deployments", limit: wholeNumber(deployments) },
    { name: "Servers that report", limit: wholeNumber(servers) },
    { name: "Members", limit: wholeNumber(members) },
  ];
}

const cents = 12 * offers.basic.amount;
const twelveMonths = `$${wholeNumber(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")}`;

/** Why the larger plan costs less: a year of each, and what each costs in its other rhythm. */
export const yearlyWords = `Pro is billed once a year, in advance. That is why ${priceLabel(offers.pro)} is less than twelve months of Basic (${twelveMonths}). On the plan page of the console there are also Basic at ${priceLabel(offers.basicYearly)} and Pro at ${priceLabel(offers.proMonthly)}.`;
