import { Form } from "react-router";
import { useMay } from "~/features/workspaces/roles";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { TextLink } from "~/ui/primitives/text-link";
import { namesInWords } from "../reported-servers";
import type { NotApplied } from "./not-applied.server";
import { TaskList } from "./task-list";

/** Says that the newest version is not on the customer's server, and what brings it there. */
export function NotAppliedNotice({ notice, here }: { notice: NotApplied; here: string }) {
  const { version, running, names, since, tasks } = notice;
  const several = (names?.length ?? 1) > 1;
  const mayDescribe = useMay("describe");
  return (
    <Card as="section" variant="warning" aria-labelledby="not-applied" className="mt-6">
      <h2 id="not-applied" className="text-lg">
        {`Version ${version} is not on ${names ? namesInWords(names) : "your server"}`}
      </h2>
      <p className="mt-2 max-w-prose">
        {`${several ? "They run" : "It runs"} version ${running}${since ? `, since ${since}` : ""}. A save changes nothing there by itself.`}
      </p>
      {tasks ? (
        <div className="mt-5">
          <TaskList tasks={tasks} />
        </div>
      ) : (
        <p className="mt-2 max-w-prose">
          Version {running} is no longer kept, so what differs is not known. Bring all files of
          version {version} there as its README says under “Change it”.
        </p>
      )}
      <Form
        method="post"
        action={`${here}/versions`}
        className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-2"
      >
        <input type="hidden" name="back" value="deployment" />
        {mayDescribe && since ? (
          <Button type="submit" name="applied" value={version} variant="secondary">
            Version {version} is on my server
          </Button>
        ) : null}
        <TextLink
          to={`${here}/versions?${new URLSearchParams({ from: `${running}`, to: `${version}` })}`}
          variant="standalone"
        >
          See what changed
        </TextLink>
      </Form>
    </Card>
  );
}
