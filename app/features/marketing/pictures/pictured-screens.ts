/**
 * Sizes in pixels of CSS, which are those of a picture for a plain screen; the large one is for screens that draw a pixel of
 * CSS with more than one of theirs. Narrow is for windows below 640 px.
 */
type Size = readonly [width: number, height: number];
type PicturedScreen = { alt: string; wide: Size; narrow: Size };

const half = { wide: [720, 690], narrow: [390, 700] } as const;

/**
 * The screens of the console that pages show in pictures. `npm run pictures` draws them, and
 * test/proof/site/pictures/product-pictures.test.ts says when one is no longer what the console shows.
 */
export const picturedScreens = {
  fleet: {
    alt: "The console's overview: four servers in two regions. One is degraded, because its disk is nearly full; one boots; two are healthy, each with the people in calls over 24 hours.",
    wide: [1280, 620],
    narrow: [390, 640],
  },
  review: {
    ...half,
    alt: "The wizard's review: cloud, region, machine, domain and network as they were chosen, each with a link to change it.",
  },
  boot: {
    ...half,
    alt: "A server's page while it boots for the first time: five stages with their times, the sixth under way, the seventh to come.",
  },
  server: {
    ...half,
    alt: "A server's figures over 48 hours: participants, rooms, processor, load, memory and disk, each as a line with its range.",
  },
  versions: {
    ...half,
    alt: "Two versions of a deployment compared: which answers differ, and what applying the newer one does.",
  },
  incident: {
    wide: [720, 840],
    narrow: [390, 960],
    alt: "An open incident on a server's page: the disk is nearly full, the commands that find out why, and the button that acknowledges it.",
  },
  call: {
    wide: [720, 634],
    narrow: [390, 700],
    alt: "One person's call explained: their network let no sound and picture through, which is likely and not certain, with what that rests on and what to do.",
  },
} as const satisfies Record<string, PicturedScreen>;

export type PicturedScreenName = keyof typeof picturedScreens;
export const pictureWidths = ["wide", "narrow"] as const;
export type PictureWidth = (typeof pictureWidths)[number];
export const pictureDensities = ["plain", "large"] as const;
export type PictureDensity = (typeof pictureDensities)[number];

/** How many pixels the large picture has for one of CSS: so many that it is small enough as well. */
export const largeScale = ([width]: Size): 1.5 | 2 => (width > 1_000 ? 1.5 : 2);
