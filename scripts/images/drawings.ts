type Point = readonly [x: number, y: number];

const node = ([x, y]: Point, radius = 30) =>
  `<circle class="hole live" cx="${x}" cy="${y}" r="${radius}" /><circle class="packet" cx="${x}" cy="${y}" r="${radius * 0.45}" />`;
const end = ([x, y]: Point) => `<circle class="sheet ink" cx="${x}" cy="${y}" r="15" />`;
const line = ([x1, y1]: Point, [x2, y2]: Point, style = "thin") =>
  `<path class="${style}" d="M${x1} ${y1}L${x2} ${y2}" />`;
const packet = ([x1, y1]: Point, [x2, y2]: Point, way: number) =>
  `<circle class="packet" cx="${x1 + (x2 - x1) * way}" cy="${y1 + (y2 - y1) * way}" r="5.5" />`;
const sheet = (x: number, y: number, width: number, height: number, style = "ink") =>
  `<rect class="sheet ${style}" x="${x}" y="${y}" width="${width}" height="${height}" rx="10" />`;
const rows = (x: number, y: number, widths: readonly number[], style = "thin") =>
  widths.map((width, row) => line([x, y + row * 30], [x + width, y + row * 30], style)).join("");

const around = ([x, y]: Point, radius: number, turn: number): Point => [
  Math.round(x + radius * Math.cos(turn * 2 * Math.PI)),
  Math.round(y + radius * Math.sin(turn * 2 * Math.PI)),
];

/** Numbers from 0 to 1 that are always the same for a text. */
function* numbersFrom(text: string): Generator<number, never> {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619);
  for (;;) {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    yield ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  }
}

/** Participants around one node, placed by the path: every page has a meeting of its own. */
function meeting(path: string): string {
  const numbers = numbersFrom(path);
  const next = () => numbers.next().value;
  const centre: Point = [220, 250];
  const count = 5 + Math.floor(next() * 4);
  const people = Array.from({ length: count }, (_, index) =>
    around(centre, 120 + next() * 75, (index + next() * 0.5) / count),
  );
  return [
    '<circle class="faint" cx="220" cy="250" r="120" /><circle class="faint" cx="220" cy="250" r="195" />',
    ...people.map((person) => line(centre, person)),
    ...people.map((person) => packet(centre, person, 0.4 + next() * 0.35)),
    ...people.map(end),
    node(centre, 44),
  ].join("");
}

/** Three connected nodes, with the people at each. */
function mesh(): string {
  const centre: Point = [220, 265];
  const nodes = [0.75, 0.0833, 0.4167].map((turn) => around(centre, 120, turn));
  const people = nodes.flatMap((each, index) =>
    [-0.09, 0.09].map((aside) => [each, around(each, 95, 0.75 + index / 3 + aside)] as const),
  );
  const links = nodes.map((each, index) => [each, nodes[(index + 1) % 3] ?? each] as const);
  return [
    ...links.map(([from, to]) => line(from, to, "live")),
    ...people.map(([from, to]) => line(from, to)),
    ...links.map(([from, to]) => packet(from, to, 0.5)),
    ...people.map(([, person]) => end(person)),
    ...nodes.map((each) => node(each)),
  ].join("");
}

const plans = () =>
  [
    sheet(20, 130, 120, 240, "thin"),
    rows(42, 230, [70, 54, 62], "faint"),
    sheet(300, 130, 120, 240, "thin"),
    rows(322, 230, [62, 70, 48], "faint"),
    sheet(145, 80, 150, 340),
    rows(170, 210, [100, 78, 92, 64]),
    node([220, 145], 26),
    '<rect class="packet" x="170" y="364" width="100" height="28" rx="7" />',
  ].join("");

const manual = () =>
  [
    sheet(90, 60, 280, 360, "faint"),
    sheet(70, 80, 280, 360, "thin"),
    sheet(50, 100, 280, 360),
    rows(84, 150, [120]),
    rows(84, 200, [190, 150, 210, 90], "faint"),
    rows(84, 335, [60], "live"),
    rows(160, 335, [110]),
    rows(84, 365, [90], "live"),
    rows(190, 365, [70]),
    rows(84, 395, [60], "live"),
    rows(160, 395, [130]),
    node([330, 100], 26),
  ].join("");

const letter = () => {
  const from: Point = [120, 350];
  const to: Point = [352, 118];
  return [
    line(from, to, "live"),
    packet(from, to, 0.66),
    packet(from, to, 0.78),
    sheet(20, 250, 240, 170),
    '<path class="ink" d="M24 258l116 92 116-92" />',
    '<path class="faint" d="M40 470h200M70 496h140" />',
    node(to, 44),
  ].join("");
};

const conversation = () =>
  [
    '<path class="sheet ink" d="M40 90h250a10 10 0 0 1 10 10v140a10 10 0 0 1-10 10H130l-50 46v-46H40a10 10 0 0 1-10-10V100a10 10 0 0 1 10-10z" />',
    rows(64, 140, [180, 120, 150]),
    '<path class="sheet live" d="M400 240H190a10 10 0 0 0-10 10v120a10 10 0 0 0 10 10h130l50 46v-46h30a10 10 0 0 0 10-10V250a10 10 0 0 0-10-10z" />',
    [230, 295, 360].map((x) => `<circle class="packet" cx="${x}" cy="310" r="10" />`).join(""),
  ].join("");

const questions = () =>
  [0, 1, 2]
    .map((row) => {
      const y = 90 + row * 115;
      const style = row === 1 ? "ink" : "thin";
      return [
        sheet(30, y, 380, 90, style),
        rows(
          60,
          y + 36,
          [
            [210, 120],
            [240, 180],
            [180, 90],
          ][row] ?? [],
          row === 1 ? "thin" : "faint",
        ),
        row === 1
          ? node([366, y + 45], 20)
          : `<path class="thin" d="M354 ${y + 45}h24M366 ${y + 33}v24" />`,
      ].join("");
    })
    .join("");

const frames = () =>
  [0, 1, 2, 3, 4, 5]
    .map((index) => {
      const x = 40 + (index % 2) * 190;
      const y = 40 + Math.floor(index / 2) * 145;
      const live = index === 3;
      return [
        sheet(x, y, 170, 125, live ? "live" : "thin"),
        `<circle class="${live ? "live" : "thin"}" cx="${x + 85}" cy="${y + 48}" r="18" />`,
        `<path class="${live ? "live" : "thin"}" d="M${x + 48} ${y + 110}c0-24 16-32 37-32s37 8 37 32" />`,
      ].join("");
    })
    .join("");

const settings = () =>
  [0, 1, 2, 3]
    .map((row) => {
      const y = 110 + row * 95;
      const at = [300, 150, 240, 340][row] ?? 200;
      return [
        line([40, y], [400, y], "faint"),
        line([40, y], [at, y], row === 1 ? "live" : "thin"),
        row === 1 ? node([at, y], 24) : `<circle class="sheet ink" cx="${at}" cy="${y}" r="20" />`,
      ].join("");
    })
    .join("");

const agreement = () =>
  [
    sheet(80, 50, 280, 400),
    rows(114, 105, [130]),
    rows(114, 160, [210, 190, 204, 170, 200, 120], "faint"),
    '<path class="thin" d="M114 400c20-24 30-24 34 0s14 12 26-8 16 4 22 8h40" />',
    node([318, 388], 34),
  ].join("");

const voice = () => {
  const heights = [40, 90, 160, 70, 220, 130, 260, 110, 190, 60, 120, 50];
  return heights
    .map((height, index) => {
      const x = 33 + index * 34;
      const style = index > 3 && index < 9 ? "live" : "thin";
      return line([x, 250 - height / 2], [x, 250 + height / 2], style);
    })
    .join("");
};

/** Starts of paths and what is drawn beside their titles; the rest gets a meeting. */
const drawings: readonly (readonly [start: string, draw: () => string])[] = [
  ["/pricing", plans],
  ["/docs", manual],
  ["/contact", letter],
  ["/support", conversation],
  ["/faq", questions],
  ["/spotlight", frames],
  ["/services", settings],
  ["/google-services", letter],
  ["/openai-config", voice],
  ["/cloud-architecture", mesh],
  ["/privacy", agreement],
  ["/terms", agreement],
  ["/cookies", agreement],
  ["/license", agreement],
];

/** The drawing of a page, for a box of 440 × 500. */
export function drawingFor(path: string): string {
  const found = drawings.find(([start]) => path === start || path.startsWith(`${start}/`));
  return found ? found[1]() : meeting(path);
}
