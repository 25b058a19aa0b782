type Point = { x: number; y: number };

/** Where everything stands, for one shape of the diagram. Sizes are those of the view box. */
export type MeshLayout = {
  viewBox: string;
  box: { width: number; height: number };
  instances: readonly {
    corner: Point;
    /** The middle of each participant's upper edge. */
    participants: readonly Point[];
    /** Where the instance meets Redis. */
    toRedis: { from: Point; to: Point };
  }[];
  traveller: { at: Point; signalling: string; passedOn: string };
  redis: {
    x: number;
    y: number;
    width: number;
    height: number;
    label: Point;
    upright: boolean;
  };
};

export const tile = 44;
const box = { width: 264, height: 136 } as const;

const ofFour = [-87, -29, 29, 87];

/** For wide screens: the instances side by side, Redis below them all. */
export const wideMesh: MeshLayout = {
  viewBox: "0 0 1120 420",
  box,
  instances: [1, 428, 855].map((x) => {
    const middle = x + box.width / 2;
    return {
      corner: { x, y: 148 },
      participants: ofFour.map((offset) => ({ x: middle + offset, y: 4 })),
      toRedis: { from: { x: middle - 24, y: 284 }, to: { x: middle - 24, y: 356 } },
    };
  }),
  traveller: {
    at: { x: 774, y: 4 },
    signalling: "M766 48C766 100 670 96 670 148",
    passedOn: "M584 284V386H1011V284",
  },
  redis: { x: 1, y: 356, width: 1118, height: 60, label: { x: 24, y: 392 }, upright: false },
};

const fromAbove = 284;

/** For narrow screens: the instances below each other, Redis upright beside them. */
export const tallMesh: MeshLayout = {
  viewBox: "0 0 344 808",
  box,
  instances: [0, 1, 2].map((position) => {
    const y = position * fromAbove;
    const middle = box.width / 2;
    const xs = position === 2 ? [78, 132, 186, 240] : ofFour.map((offset) => middle + offset);
    return {
      corner: { x: 2, y: y + 100 },
      participants: xs.map((x) => ({ x, y: y + 2 })),
      toRedis: { from: { x: 266, y: y + 148 }, to: { x: 298, y: y + 148 } },
    };
  }),
  traveller: {
    at: { x: 24, y: 2 * fromAbove + 2 },
    signalling: `M24 ${2 * fromAbove + 2}V${fromAbove + 236}`,
    passedOn: `M266 ${fromAbove + 188}H320V${2 * fromAbove + 188}H266`,
  },
  redis: {
    x: 298,
    y: 100,
    width: 44,
    height: 704,
    label: { x: 326, y: 396 },
    upright: true,
  },
};

/** A participant's media: from the tile to the upper edge of the instance, drawn together a little. */
export function mediaPath(participant: Point, corner: Point): string {
  const top = participant.y + tile;
  const middle = corner.x + box.width / 2;
  const reach = Math.max(-0.9, Math.min(0.9, (participant.x - middle) / (box.width / 2)));
  const port = middle + reach * 0.62 * (box.width / 2);
  const bend = (corner.y - top) / 2;
  return `M${participant.x} ${top}C${participant.x} ${top + bend} ${port.toFixed(1)} ${corner.y - bend} ${port.toFixed(1)} ${corner.y}`;
}
