import { worldLand } from "~/content/world-land";

const degreesPerColumn = 2.4;
const degreesPerRow = 2;
const west = -170;
const north = 78;

const rows = worldLand.trim().split("\n");

/** In columns and rows of the land bitmap. */
export const mapSize = { width: 360 / degreesPerColumn, height: rows.length } as const;

/** Equirectangular, true to shape at 34° (2 / 2.4 is its cosine), where most people live. */
export function project({ latitude, longitude }: { latitude: number; longitude: number }) {
  const eastward = (longitude - west + 360) % 360;
  return { x: eastward / degreesPerColumn, y: (north - latitude) / degreesPerRow };
}

/**
 * The land as one path: each run of neighbouring cells is one line. Drawn with zero-length dashes,
 * one cell apart and with round ends, every cell becomes a dot.
 */
export const landPath = rows
  .flatMap((row, y) =>
    [...row.matchAll(/#+/g)].map(
      // A hair longer than the run, so that rounding never loses its last dot.
      ({ index, 0: run }) => `M${index} ${y}h${run.length === 1 ? 0 : run.length - 0.99}`,
    ),
  )
  .join("");
