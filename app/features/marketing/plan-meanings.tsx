import { planNames } from "~/content/plans";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import type { Pricing } from "./page-texts.server";

const sold = ["basic", "pro"] as const;
const columns = [
  { label: "What", unseen: true as const },
  ...sold.map((plan) => planNames[plan]),
  { label: "More about it", unseen: true as const },
];

/** What the words of the price list mean, plan by plan. `limits`: what deployments and servers have to do with it. */
export function PlanMeanings({
  meanings,
  both,
  limits,
}: Pick<Pricing, "meanings" | "both"> & { limits: string }) {
  return (
    <section aria-labelledby="meanings" className="border-t border-line">
      <div className="page py-14 sm:py-20">
        <h2 id="meanings" className="text-2xl">
          What the words mean
        </h2>
        <p className="mt-4 max-w-prose text-ink-soft">{both}</p>
        <p className="mt-3 max-w-prose text-ink-soft">
          {`${limits} `}
          <TextLink to="/docs/limits#of-a-plan">Every limit of a plan</TextLink>
        </p>
        <div className="mt-10">
          <Table
            caption="What each line of the price list means"
            columns={columns}
            className="comparison"
          >
            <tbody>
              {meanings.map(({ name, link, ...of }) => (
                <tr key={name}>
                  <th scope="row" className="font-strong">
                    {name}
                  </th>
                  {sold.map((plan) => (
                    <td key={plan}>
                      <span className="block text-sm text-ink-soft md:hidden" aria-hidden="true">
                        {planNames[plan]}
                      </span>
                      <span>{of[plan]}</span>
                    </td>
                  ))}
                  <td className="text-sm">
                    <TextLink to={link.to}>{link.label}</TextLink>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      </div>
    </section>
  );
}
