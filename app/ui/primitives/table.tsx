import type { ComponentProps } from "react";
import { ScrollRegion } from "./scroll-region";

export type Column =
  | string
  | {
      label: string;
      className?: string;
      /** For a screen reader alone. */
      unseen?: true;
    };

/** A table that says what it lists; where it is wider than its place it scrolls, by keyboard too. */
export function Table({
  caption,
  columns,
  numeric,
  compact,
  className = "",
  children,
  ...rest
}: ComponentProps<"table"> & {
  /** What it lists, for a screen reader. */
  caption: string;
  /** Its head. A list that says itself what each cell is has none. */
  columns?: readonly Column[];
  /** Every column but the first has figures. */
  numeric?: boolean;
  compact?: boolean;
}) {
  return (
    // Its padding keeps the focus outline of a button at the edge whole.
    <ScrollRegion label={caption} className="relative -mx-1.5 overflow-x-auto px-1.5">
      <table
        className={`data-table ${numeric ? "numeric" : ""} ${compact ? "compact" : ""} ${className}`}
        {...rest}
      >
        <caption className="sr-only">{caption}</caption>
        {columns ? (
          <thead>
            <tr>
              {columns.map((column) => {
                const { label, className, unseen } =
                  typeof column === "string" ? { label: column } : column;
                return (
                  <th key={label} scope="col" className={className}>
                    {unseen ? <span className="sr-only">{label}</span> : label}
                  </th>
                );
              })}
            </tr>
          </thead>
        ) : null}
        {children}
      </table>
    </ScrollRegion>
  );
}
