/** The grid of `content/world-land.svg`. */
const grid = { west: -170, north: 78, degreesPerColumn: 2.4, degreesPerRow: 2 } as const;

export const mapSize = { columns: 150, rows: 66 } as const;

/** Equirectangular, true to shape at 34° (its cosine is 2 / 2.4), where most people live. */
export function project({ latitude, longitude }: { latitude: number; longitude: number }) {
  const eastward = (longitude - grid.west + 360) % 360;
  return { x: eastward / grid.degreesPerColumn, y: (grid.north - latitude) / grid.degreesPerRow };
}
