import type { TokenUsage } from "~/content/model-configuration";
import { Table } from "~/ui/primitives/table";

/** The eight figures of a usage: a drawn scale, and a table with the same figures. */
export function UsageStatistics({ usage }: { usage: TokenUsage }) {
  const input = usage.input_token_details;
  const output = usage.output_token_details;
  return (
    <>
      <Scale usage={usage} />
      <Table caption="Tokens by direction and kind" numeric className="mt-10">
        <thead className="sr-only">
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          <Row name="Total" tokens={usage.total_tokens} variant="sum" />
          <Row name="Input" tokens={usage.input_tokens} variant="sum" />
          <Row name="Input text" tokens={input.text_tokens} />
          <Row name="Input audio" tokens={input.audio_tokens} />
          <Row name="Cached" tokens={input.cached_tokens} note="of the input" />
          <Row name="Output" tokens={usage.output_tokens} variant="sum" />
          <Row name="Output text" tokens={output.text_tokens} />
          <Row name="Output audio" tokens={output.audio_tokens} />
        </tbody>
      </Table>
    </>
  );
}

const rowVariants = {
  sum: { row: "border-line-strong font-strong", name: "font-strong" },
  part: { row: "", name: "pl-6 text-ink-soft" },
} as const;

function Row({
  name,
  tokens,
  note,
  variant = "part",
}: {
  name: string;
  tokens: number;
  note?: string;
  variant?: keyof typeof rowVariants;
}) {
  const classes = rowVariants[variant];
  return (
    <tr className={classes.row}>
      <th scope="row" className={classes.name}>
        <span>{name}</span>
        {note ? <span className="ml-2 text-sm font-normal">{note}</span> : null}
      </th>
      <td className="font-mono">{tokens}</td>
    </tr>
  );
}

/** All tokens on one scale: input before output; text is filled, audio is hatched. */
function Scale({ usage }: { usage: TokenUsage }) {
  const total = Math.max(1, usage.total_tokens);
  const input = usage.input_token_details;
  const output = usage.output_token_details;
  const parts = [
    { name: "Input text", tokens: input.text_tokens, fill: "var(--ink-soft)" },
    { name: "Input audio", tokens: input.audio_tokens, fill: "url(#hatch-input)" },
    { name: "Output text", tokens: output.text_tokens, fill: "var(--ink)" },
    { name: "Output audio", tokens: output.audio_tokens, fill: "url(#hatch-output)" },
  ];
  let from = 0;
  const placed = parts.map((part) => {
    const at = from;
    from += part.tokens;
    return { ...part, x: percent(at / total), width: percent(part.tokens / total) };
  });
  const ticks = [0, 1, 2, 3].map((third) => ({
    tokens: Math.round((total * third) / 3),
    x: percent(third / 3),
    anchor: third === 0 ? "start" : third === 3 ? "end" : "middle",
  })) satisfies { tokens: number; x: string; anchor: "start" | "middle" | "end" }[];

  return (
    <div aria-hidden="true">
      <svg width="100%" height="88" className="block overflow-visible" role="presentation">
        <defs>
          <Hatch id="hatch-input" stroke="var(--ink-soft)" />
          <Hatch id="hatch-output" stroke="var(--ink)" />
        </defs>
        {placed.map(({ name, x, width, fill }) => (
          <rect
            key={name}
            x={x}
            y="0"
            width={width}
            height="48"
            fill={fill}
            stroke="var(--paper)"
          />
        ))}
        <line x1="0" x2="100%" y1="56.5" y2="56.5" stroke="var(--line-strong)" />
        {ticks.map(({ tokens, x, anchor }) => (
          <g key={x}>
            <line x1={x} x2={x} y1="56" y2="64" stroke="var(--line-strong)" />
            <text
              x={x}
              y="82"
              textAnchor={anchor}
              fill="currentColor"
              className="font-mono text-sm text-ink-soft"
            >
              {tokens}
            </text>
          </g>
        ))}
      </svg>
      <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-soft">
        {parts.map(({ name, fill }) => (
          <li key={name} className="flex items-center gap-2">
            <svg width="14" height="14" role="presentation">
              <rect
                x="0.5"
                y="0.5"
                width="13"
                height="13"
                fill={fill}
                stroke="var(--line-strong)"
              />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Hatch({ id, stroke }: { id: string; stroke: string }) {
  return (
    <pattern
      id={id}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <line x1="0" x2="0" y1="0" y2="6" stroke={stroke} strokeWidth="4" />
    </pattern>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
