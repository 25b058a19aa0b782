import { useId } from "react";
import type { Architecture } from "../page-texts.server";
import { type MeshLayout, mediaPath, tallMesh, tile, wideMesh } from "./mesh-layout";

/** Three instances, their participants and the Redis between them, in the shape that fits. */
export function MeshDiagram({ texts }: { texts: Architecture }) {
  return (
    <>
      <Mesh texts={texts} layout={wideMesh} className="hidden lg:block" />
      <Mesh texts={texts} layout={tallMesh} className="mx-auto max-w-[26rem] lg:hidden" />
    </>
  );
}

function Mesh({
  texts: { diagram, instances },
  layout,
  className,
}: {
  texts: Architecture;
  layout: MeshLayout;
  className: string;
}) {
  const id = useId();
  const { traveller, redis } = layout;
  return (
    <svg
      viewBox={layout.viewBox}
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
      className={`h-auto w-full ${className}`}
    >
      <title id={`${id}-title`}>{diagram.title}</title>
      <desc id={`${id}-description`}>{diagram.description}</desc>
      <Redis area={redis} />
      {layout.instances.map(({ corner, participants, toRedis }, position) => {
        const instance = instances[position];
        if (!instance) return null;
        const from = `M${toRedis.from.x} ${toRedis.from.y}`;
        const to = `L${toRedis.to.x} ${toRedis.to.y}`;
        return (
          <g key={instance.name}>
            <path d={`${from}${to}`} className="stroke-line-strong" {...signalling} />
            {participants.map((participant, seat) => {
              const path = mediaPath(participant, corner);
              return (
                <g key={path}>
                  <path d={path} className="stroke-line-strong" strokeWidth="1.5" />
                  {seat % 2 === position % 2 ? <Packet path={path} pace={position + seat} /> : null}
                  <Participant {...participant} />
                </g>
              );
            })}
            <Box instance={instance} {...corner} {...layout.box} />
          </g>
        );
      })}
      <Traveller layout={layout} traveller={traveller} />
    </svg>
  );
}

const signalling = { strokeWidth: 1.5, strokeDasharray: "1 6" } as const;

function Traveller({
  layout,
  traveller,
}: {
  layout: MeshLayout;
  traveller: MeshLayout["traveller"];
}) {
  const home = layout.instances.at(-1);
  if (!home) return null;
  const media = mediaPath(traveller.at, home.corner);
  return (
    <g>
      <path d={media} className="stroke-signal" strokeWidth="2" />
      <path d={traveller.signalling} className="stroke-signal" {...signalling} strokeWidth="2" />
      <path d={traveller.passedOn} className="stroke-signal" {...signalling} strokeWidth="2" />
      <Packet path={media} pace={1} />
      <Packet path={traveller.passedOn} pace={0} slow />
      <Participant {...traveller.at} marked />
    </g>
  );
}

function Participant({ x, y, marked = false }: { x: number; y: number; marked?: boolean }) {
  return (
    <g
      transform={`translate(${x} ${y})`}
      strokeWidth="1.5"
      className={marked ? "stroke-signal" : "stroke-ink"}
    >
      <rect
        x={-tile / 2}
        width={tile}
        height={tile}
        rx="6"
        className={marked ? "fill-signal-well" : "fill-raised"}
      />
      <circle cy="18" r="6.5" />
      <path d={`M-13.5 ${tile}c0-10 5-14 13.5-14s13.5 4 13.5 14`} />
    </g>
  );
}

function Box({
  instance,
  x,
  y,
  width,
  height,
}: {
  instance: Architecture["instances"][number];
  x: number;
  y: number;
  width: number;
  height: number;
}) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect
        width={width}
        height={height}
        rx="8"
        strokeWidth="1.5"
        className="fill-raised stroke-ink"
      />
      <circle cx="36" cy="36" r="17" strokeWidth="1.5" className="stroke-signal" />
      <circle cx="36" cy="36" r="9" className="fill-signal" />
      <text x="66" y="33" fontSize="17" className="fill-ink font-mono font-strong">
        {instance.name}
      </text>
      <text x="66" y="52" fontSize="14" className="fill-ink-soft">
        {instance.location}
      </text>
      <path d={`M0 72H${width}`} className="stroke-line" />
      {instance.rooms.map((room, line) => (
        <g key={room.name} transform={`translate(0 ${97 + 23 * line})`} fontSize="14">
          <text x="20" className="fill-ink font-mono">
            {room.name}
          </text>
          <text x={width - 20} textAnchor="end" className="fill-ink-soft">
            {room.participants} participants
          </text>
        </g>
      ))}
    </g>
  );
}

function Redis({ area }: { area: MeshLayout["redis"] }) {
  const { x, y, width, height, label, upright } = area;
  return (
    <g>
      <rect
        {...{ x, y, width, height }}
        rx="8"
        strokeWidth="1.5"
        className="fill-well stroke-line-strong"
      />
      <g transform={`translate(${label.x} ${label.y})${upright ? " rotate(-90)" : ""}`}>
        <text fontSize="17" className="fill-ink font-mono font-strong">
          Redis
        </text>
        <text x="70" fontSize="14" className="fill-ink-soft">
          rooms, load, signalling
        </text>
      </g>
    </g>
  );
}

const paces = [
  "",
  "[animation-delay:-1.1s]",
  "[animation-delay:-2.3s]",
  "[animation-delay:-0.5s]",
  "[animation-delay:-1.7s]",
  "[animation-delay:-2.9s]",
];

/** A dot that travels along a line. With `prefers-reduced-motion` it is not shown. */
function Packet({ path, pace, slow = false }: { path: string; pace: number; slow?: boolean }) {
  return (
    <path
      d={path}
      pathLength="100"
      strokeWidth="7"
      strokeDasharray="0 100"
      className={`stroke-signal motion-reduce:hidden group-has-checked/mesh:[animation-play-state:paused] ${
        slow ? "animate-travel-far" : "animate-travel"
      } ${paces[pace % paces.length]}`}
    />
  );
}
