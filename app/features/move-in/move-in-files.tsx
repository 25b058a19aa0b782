import { type DragEvent, useRef } from "react";
import { Button } from "~/ui/primitives/button";
import { TextAreaField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { useMoveIn } from "./use-move-in";

/** Where files are given. No field has a name and there is no form: nothing that stands in them could be sent. */
export function MoveInFiles({ files }: { files: ReturnType<typeof useMoveIn> }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const pastes = useRef(0);
  const paste = () => {
    if (text.current?.value.trim()) {
      pastes.current += 1;
      void files.add([{ name: `pasted text ${pastes.current}`, text: text.current.value }]);
      text.current.value = "";
    }
    text.current?.focus();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void files.addFiles(event.dataTransfer.files);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field below takes the same files, by keyboard too. */}
      <div
        className="mt-6 grid max-w-prose gap-6 not-scripted:hidden"
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <TextField
          label="Files of one server"
          hint="livekit.yaml, docker-compose.yaml, caddy.yaml, nginx.conf, egress.yaml and what else it has. At most 20, of 100 kB each."
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            void files.addFiles(currentTarget.files ?? []);
            currentTarget.value = "";
          }}
        />
        <TextAreaField
          label="Or paste one"
          ref={text}
          rows={6}
          spellCheck={false}
          autoComplete="off"
        />
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={paste}>
            Read what I pasted
          </Button>
          {files.found ? (
            <Button variant="quiet" onClick={() => void files.clear()}>
              Remove all
            </Button>
          ) : null}
        </div>
      </div>
      <p className="mt-6 max-w-prose scripted:hidden">
        Without script this page cannot read files, and yours are not sent.
      </p>
      {files.isFailed ? (
        <Message kind="failure" className="mt-6">
          What reads the files could not be loaded. You may be offline. If not, load the page again.
        </Message>
      ) : null}
    </>
  );
}
