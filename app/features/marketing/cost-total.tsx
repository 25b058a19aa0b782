import { planNames } from "~/content/plans";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import type { CostExample } from "./cost-example.server";

/** What a month costs altogether: the plan, the machine and its traffic. */
export function CostTotal({ example }: { example: CostExample }) {
  const { rooms, size, gigabytes, plan, trafficPricesRead, totals } = example;
  return (
    <section aria-labelledby="total" className="border-t border-line">
      <div className="page py-14 sm:py-20">
        <h2 id="total" className="text-2xl">
          A month, altogether
        </h2>
        <p className="mt-4 max-w-prose text-ink-soft">
          {`An example: ${rooms}. They fit on one machine of the size ${size} and send ${gigabytes} GB.`}
        </p>
        <div className="mt-10 max-w-[44rem]">
          <Table
            caption="What a month costs altogether at each provider, in US dollars"
            columns={[{ label: "What", unseen: true }, ...totals.map(({ provider }) => provider)]}
            numeric
          >
            <tbody>
              <tr>
                <th scope="row">{`${planNames.basic} by the month`}</th>
                {totals.map(({ provider }) => (
                  <td key={provider}>{plan}</td>
                ))}
              </tr>
              <tr>
                <th scope="row">The machine</th>
                {totals.map(({ provider, machine, machinePrice }) => (
                  <td key={provider}>
                    <span className="block font-mono text-sm text-ink-soft">{machine}</span>
                    {machinePrice}
                  </td>
                ))}
              </tr>
              <tr>
                <th scope="row">Its traffic</th>
                {totals.map(({ provider, trafficPrice }) => (
                  <td key={provider}>{trafficPrice}</td>
                ))}
              </tr>
              <tr className="font-strong">
                <th scope="row" className="font-strong">
                  Together, about
                </th>
                {totals.map(({ provider, total }) => (
                  <td key={provider}>{total}</td>
                ))}
              </tr>
            </tbody>
          </Table>
        </div>
        <ul className="mt-6 grid max-w-prose gap-2 text-sm text-ink-soft">
          {totals.map(({ provider, source, calculator }) => (
            <li key={provider}>
              <TextLink to={source.to}>{source.label}</TextLink>
              {`: ${source.says} `}
              <TextLink to={calculator}>{`Calculate yours at ${provider}`}</TextLink>
            </li>
          ))}
          <li>
            {`Prices of traffic: ${trafficPricesRead}. `}
            <TextLink to="/docs/sizing#what-the-traffic-costs">Traffic by the GB</TextLink>
          </li>
        </ul>
      </div>
    </section>
  );
}
