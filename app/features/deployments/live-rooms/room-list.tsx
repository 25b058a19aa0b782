import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { type LiveParticipant, type LiveRoom, peopleCount } from "./live-room";
import type { Reading } from "./room-service.client";
import type { RoomsToken } from "./rooms-token";
import type { RoomActs } from "./use-room-acts";

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** The rooms of a server, the fullest first; the people of the token's room below it. */
export function RoomList({
  reading: { rooms, people },
  token,
  acts,
  askFor,
}: {
  reading: Reading;
  /** Undefined once it has ended: then nothing can be done to what is shown. */
  token: RoomsToken | undefined;
  acts: RoomActs;
  /** Asks for a token for the people of a room. */
  askFor: (room: LiveRoom) => void;
}) {
  return (
    <ul className="border-t border-line">
      {rooms.map((room) => {
        const { sid, name, participants, startedAt, isRecorded, isTest } = room;
        const isOpen = token ? token.room === name : false;
        return (
          <li key={sid} className="border-b border-line py-4">
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
              <div className="min-w-0">
                <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-mono text-base font-strong tracking-normal wrap-anywhere">
                  <bdi>{name}</bdi>
                  {isRecorded ? (
                    <Badge variant="neutral" className="font-sans">
                      Recorded
                    </Badge>
                  ) : null}
                  {isTest ? (
                    <Badge variant="neutral" className="font-sans">
                      Test from the console
                    </Badge>
                  ) : null}
                </h3>
                <p className="mt-1 text-sm text-ink-soft">
                  <span>{`${peopleCount(participants)} · since `}</span>
                  <RecentMoment at={isoOf(startedAt)} />
                </p>
              </div>
              {token ? (
                <div className="flex flex-wrap gap-3">
                  {isOpen ? null : (
                    <Button
                      variant="secondary"
                      aria-label={`Who is in it: ${name}`}
                      onClick={() => askFor(room)}
                    >
                      Who is in it
                    </Button>
                  )}
                  {token.mayEnd ? (
                    <Button
                      variant="danger"
                      aria-label={`End the room ${name}`}
                      onClick={() => acts.begin({ intent: "end", room })}
                    >
                      End the room
                    </Button>
                  ) : null}
                </div>
              ) : null}
            </div>
            {isOpen && people ? <PeopleList room={room} people={people} acts={acts} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

function PeopleList({
  room,
  people,
  acts,
}: {
  room: LiveRoom;
  people: readonly LiveParticipant[];
  acts: RoomActs;
}) {
  if (people.length === 0) return <p className="mt-3">Nobody is in it.</p>;
  return (
    <ul aria-label={`Participants of ${room.name}`} className="mt-3 border-l border-line pl-4">
      {people.map((participant) => {
        const { sid, identity, name, kind, joinedAt, isHidden, tracks } = participant;
        return (
          <li key={sid} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
                <bdi className="font-mono">{identity}</bdi>
                {name ? <bdi>{name}</bdi> : null}
                {kind ? <Badge variant="outline">{kind}</Badge> : null}
                {isHidden ? <Badge variant="outline">hidden</Badge> : null}
              </p>
              <p className="mt-1 text-sm text-ink-soft">
                <span>{"Since "}</span>
                <RecentMoment at={isoOf(joinedAt)} />
                {tracks.length === 0 ? <span>{" · publishes nothing"}</span> : null}
              </p>
              {tracks.length > 0 ? (
                <ul className="mt-1 flex flex-wrap gap-2">
                  {tracks.map((track) => (
                    <li key={track.sid} className="flex items-center gap-2 text-sm">
                      {track.isMuted ? (
                        <span className="text-ink-soft">{`${track.source}, muted`}</span>
                      ) : (
                        <Button
                          variant="secondary"
                          aria-label={`Mute the ${track.source} of ${identity}`}
                          aria-disabled={acts.isBusy}
                          onClick={() =>
                            acts.isBusy || acts.begin({ intent: "mute", room, participant, track })
                          }
                        >
                          {`Mute the ${track.source}`}
                        </Button>
                      )}
                    </li>
                  ))}
                </ul>
              ) : null}
            </div>
            <Button
              variant="danger"
              aria-label={`Remove ${identity}`}
              onClick={() => acts.begin({ intent: "remove", room, participant })}
            >
              Remove
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
