import { Card } from "~/ui/primitives/card";
import {
  largeScale,
  type PicturedScreenName,
  type PictureWidth,
  picturedScreens,
} from "./pictured-screens";

const addresses = import.meta.glob<string>("./*.{avif,webp}", {
  eager: true,
  import: "default",
  query: "?url&no-inline",
});

const addressOf = (name: string) => addresses[`./${name}`];

/**
 * A screen of the console in the theme of the page. The theme is a class of the root, which no media query knows: both
 * pictures are there, and the browser loads none that is lazy and not displayed.
 */
export function ScreenPicture({ name }: { name: PicturedScreenName }) {
  return (
    <Card variant="strong" flush className="overflow-hidden">
      <ThemedPicture name={name} theme="light" className="dark:hidden" />
      <ThemedPicture name={name} theme="dark" className="hidden dark:block" />
    </Card>
  );
}

function ThemedPicture({
  name,
  theme,
  className,
}: {
  name: PicturedScreenName;
  theme: "light" | "dark";
  className: string;
}) {
  const { alt, wide, narrow } = picturedScreens[name];
  const sources = (width: PictureWidth, format: "avif" | "webp") => {
    const [plain, large] = (["plain", "large"] as const).map((density) =>
      addressOf(`${name}-${width}-${theme}-${density}.${format}`),
    );
    return `${plain}, ${large} ${largeScale(picturedScreens[name][width])}x`;
  };
  return (
    <picture className={className}>
      {(["avif", "webp"] as const).map((format) => (
        <source
          key={format}
          media="(max-width: 639px)"
          type={`image/${format}`}
          srcSet={sources("narrow", format)}
          width={narrow[0]}
          height={narrow[1]}
        />
      ))}
      <source type="image/avif" srcSet={sources("wide", "avif")} width={wide[0]} height={wide[1]} />
      <img
        src={addressOf(`${name}-wide-${theme}-plain.webp`)}
        srcSet={sources("wide", "webp")}
        alt={alt}
        width={wide[0]}
        height={wide[1]}
        loading="lazy"
        decoding="async"
        className="h-auto w-full"
      />
    </picture>
  );
}
