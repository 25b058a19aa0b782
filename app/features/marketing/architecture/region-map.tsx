import { useId } from "react";
import worldLand from "~/content/world-land.svg?url&no-inline";
import type { Architecture } from "../page-texts.server";

type Continents = Architecture["continents"];

/** The grid of `content/world-land.svg`. */
const grid = { west: -170, north: 78, degreesPerColumn: 2.4, degreesPerRow: 2 } as const;

const mapSize = { columns: 150, rows: 66 } as const;

/** Equirectangular, true to shape at 34° (its cosine is 2 / 2.4), where most people live. */
function project({ latitude, longitude }: { latitude: number; longitude: number }) {
  const eastward = (longitude - grid.west + 360) % 360;
  return { x: eastward / grid.degreesPerColumn, y: (grid.north - latitude) / grid.degreesPerRow };
}

/** A world of dots with every region in its true position. The list below it says the same. */
export function RegionMap({ continents }: { continents: Continents }) {
  const id = useId();
  const regions = continents.flatMap((continent) => continent.regions);
  return (
    <svg
      viewBox={`0 0 ${mapSize.columns} ${mapSize.rows}`}
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
      className="block h-auto w-full"
    >
      <title id={`${id}-title`}>World map of the data-centre locations</title>
      <desc id={`${id}-description`}>{regions.map(({ name }) => name).join(", ")}</desc>
      {/* A file of its own: it need not come with the page's script too. */}
      <use href={`${worldLand}#land`} className="stroke-line-strong opacity-70" />
      {regions.map((region) => (
        <Mark key={region.name} region={region} />
      ))}
    </svg>
  );
}

/** Where the map names a region, by the side of its mark that the texts say, so that names do not touch. */
const labels: Record<string, { x: number; y: number; textAnchor: "start" | "middle" | "end" }> = {
  left: { x: -1.5, y: 0.6, textAnchor: "end" },
  right: { x: 1.5, y: 0.6, textAnchor: "start" },
  above: { x: 0, y: -1.6, textAnchor: "middle" },
  below: { x: 0, y: 2.8, textAnchor: "middle" },
};

function Mark({ region }: { region: Continents[number]["regions"][number] }) {
  const { x, y } = project(region);
  return (
    <g transform={`translate(${x.toFixed(2)} ${y.toFixed(2)})`}>
      <circle r="0.85" className="fill-paper stroke-signal max-sm:[r:1.2px]" strokeWidth="0.22" />
      <circle r="0.45" className="fill-signal max-sm:[r:0.8px]" />
      <text
        {...labels[region.label]}
        strokeWidth="0.7"
        strokeLinejoin="round"
        paintOrder="stroke"
        className="hidden fill-ink stroke-paper font-strong md:block md:[font-size:2.5px] lg:[font-size:1.85px]"
      >
        {region.name}
      </text>
    </g>
  );
}
