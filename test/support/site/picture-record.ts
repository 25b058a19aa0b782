import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  type PictureDensity,
  type PicturedScreenName,
  type PictureWidth,
  pictureDensities,
} from "../../../app/features/marketing/pictures/pictured-screens.ts";

const folder = "app/features/marketing/pictures";
export const pictureThemes = ["light", "dark"] as const;
export const pictureFormats = ["avif", "webp"] as const;

type Theme = (typeof pictureThemes)[number];
type Format = (typeof pictureFormats)[number];

export const pictureFile = (
  name: PicturedScreenName,
  width: PictureWidth,
  theme: Theme,
  density: PictureDensity,
  format: Format,
) => `${folder}/${name}-${width}-${theme}-${density}.${format}`;

/** What the pictures of a screen in one width show, beside them. */
export const recordFile = (name: PicturedScreenName, width: PictureWidth) =>
  `${folder}/${name}-${width}.txt`;

/** Its pictures with a hash of each, an empty line, and the screen's outline. */
export function recordOf(
  name: PicturedScreenName,
  width: PictureWidth,
  outline: readonly string[],
): string {
  return `${pictureLines(name, width).join("\n")}\n\n${outline.join("\n")}\n`;
}

/** The pictures of a screen in one width as they are now, each with a hash. */
export function pictureLines(name: PicturedScreenName, width: PictureWidth): string[] {
  return pictureThemes.flatMap((theme) =>
    pictureDensities.flatMap((density) =>
      pictureFormats.map((format) => {
        const bytes = readFileSync(pictureFile(name, width, theme, density, format));
        const hash = createHash("sha256").update(bytes).digest("hex");
        return `${theme}-${density}.${format} ${hash}`;
      }),
    ),
  );
}
