import { Fragment } from "react";
import { brand } from "~/content/chrome";
import { offers, priceLabel } from "~/content/plans";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import type { Home } from "../page-texts.server";

const ways = [
  { key: "generator", label: "LiveKit's free generator" },
  { key: "deploy", label: brand },
  { key: "cloud", label: "LiveKit Cloud" },
] as const;

const columns = ["", ...ways.map(({ label }) => label)].map((label) =>
  label ? label : { label: "What", unseen: true as const },
);

/** What the month pays for, beside the two other ways to have LiveKit. */
export function Comparison({ comparison: { rows, sources, note } }: Pick<Home, "comparison">) {
  return (
    <section aria-labelledby="month" className="border-t border-line">
      <div className="page py-14 sm:py-20">
        <h2 id="month" className="max-w-[24ch] text-2xl">
          What the month pays for
        </h2>
        <p className="mt-4 max-w-prose text-ink-soft">
          The server is open source, and there are three good ways to have it. They differ in who
          does the work after the first day.
        </p>
        <div className="mt-10">
          <Table
            caption="Three ways to have LiveKit, and what each leaves to you"
            columns={columns}
            className="comparison"
          >
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <th scope="row" className="font-strong">
                    {row.name}
                  </th>
                  {ways.map(({ key, label }) => (
                    <td key={key} className={key === "deploy" ? "" : "text-ink-soft"}>
                      <span className="block text-sm text-ink-soft md:hidden" aria-hidden="true">
                        {label}
                      </span>
                      <span>{row[key].replace("{basic}", priceLabel(offers.basic))}</span>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
        <p className="mt-6 max-w-prose text-sm text-ink-soft">
          <span>{"Of others we say what they publish: "}</span>
          {sources.map(({ label, href, read }, at) => (
            <Fragment key={href}>
              <TextLink to={href}>{label}</TextLink>
              <span>{` (${read})${at < sources.length - 1 ? ", " : ". Their pages have the last word."}`}</span>
            </Fragment>
          ))}
          <span>{` ${note}`}</span>
        </p>
      </div>
    </section>
  );
}
