import { encode } from "uqr";

const moduleSide = 3;

/**
 * A text as a QR code, drawn as SVG as Supabase Auth draws it: each module is a rectangle, so it has hundreds of
 * kilobytes. Tests notice if the site passes it on.
 */
export function qrCode(text: string): string {
  const { data, size } = encode(text, { border: 4 });
  const rects = data.flatMap((line, row) =>
    line.map((dark, column) => {
      const fill = dark ? "black" : "white";
      return `<rect x="${column * moduleSide}" y="${row * moduleSide}" width="${moduleSide}" height="${moduleSide}" style="fill:${fill};stroke:none" />\n`;
    }),
  );
  const side = size * moduleSide;
  return `<?xml version="1.0"?>\n<svg width="${side}" height="${side}"\n     xmlns="http://www.w3.org/2000/svg"\n     xmlns:xlink="http://www.w3.org/1999/xlink">\n${rects.join("")}</svg>\n`;
}
