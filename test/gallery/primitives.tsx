import type { ReactElement } from "react";
import { Badge } from "../../app/ui/primitives/badge.tsx";
import { Band } from "../../app/ui/primitives/band.tsx";
import { Button, IconButton, LinkButton } from "../../app/ui/primitives/button.tsx";
import { Card } from "../../app/ui/primitives/card.tsx";
import { CheckboxFields } from "../../app/ui/primitives/checkbox-fields.tsx";
import { CopyButton } from "../../app/ui/primitives/copy-button.tsx";
import { DemoNote } from "../../app/ui/primitives/demo-note.tsx";
import { Dialog } from "../../app/ui/primitives/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../app/ui/primitives/fields.tsx";
import * as icons from "../../app/ui/primitives/icons.tsx";
import { LineDrawing } from "../../app/ui/primitives/line-drawing.tsx";
import { MailLink } from "../../app/ui/primitives/mail-link.tsx";
import { Message } from "../../app/ui/primitives/message.tsx";
import { PageIntro } from "../../app/ui/primitives/page-intro.tsx";
import { RequestId, RequestIdContext } from "../../app/ui/primitives/request-id.tsx";
import { ScrollRegion } from "../../app/ui/primitives/scroll-region.tsx";
import { Spinner } from "../../app/ui/primitives/spinner.tsx";
import { Table } from "../../app/ui/primitives/table.tsx";
import { Tabs } from "../../app/ui/primitives/tabs.tsx";
import { TextButton, TextLink } from "../../app/ui/primitives/text-link.tsx";

const variants = ["primary", "secondary", "quiet", "danger"] as const;
const hint = "At least 10 characters.";
const error = "This is too short.";

/** Every primitive in all its variants, by its file in app/ui/primitives. */
export const primitives: Readonly<Record<string, ReactElement>> = {
  badge: (
    <p className="flex flex-wrap items-center gap-3">
      {(["success", "warning", "failure", "neutral", "outline"] as const).map((variant) => (
        <Badge key={variant} variant={variant}>
          Badge, {variant}
        </Badge>
      ))}
    </p>
  ),
  band: (
    <Band id="band" title="A band" detail="What it is about.">
      <p>What it shows.</p>
    </Band>
  ),
  button: (
    <>
      {variants.map((variant) => (
        <p key={variant} className="mb-4 flex flex-wrap gap-3">
          <Button variant={variant}>Button, {variant}</Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <LinkButton variant={variant} to="/">
            Link, {variant}
          </LinkButton>
        </p>
      ))}
      <IconButton aria-label="Close">
        <icons.CloseIcon />
      </IconButton>
    </>
  ),
  card: (
    <div className="grid gap-4">
      {(["raised", "flat", "marked", "strong", "warning"] as const).map((variant) => (
        <Card key={variant} variant={variant}>
          Card, {variant}
        </Card>
      ))}
      <Card as="ul" flush className="divide-y divide-line">
        <li className="p-4">Card, flush: one of a list</li>
        <li className="p-4">Another</li>
      </Card>
    </div>
  ),
  "copy-button": <CopyButton text="docker compose up" label="Copy the command" />,
  "demo-note": <DemoNote>This is a demo.</DemoNote>,
  dialog: (
    <Dialog title="A dialog" closeTo="/">
      <p>What it asks.</p>
    </Dialog>
  ),
  "checkbox-fields": (
    <CheckboxFields
      legend="Boxes of one kind"
      names={["first", "second"]}
      label={(name) => `The ${name}`}
      checked={["second"]}
    />
  ),
  fields: (
    <div className="grid max-w-md gap-6">
      <TextField label="Text" defaultValue="livekit.example.com" />
      <TextField label="Text, with a hint" hint={hint} placeholder="Placeholder" />
      <TextField label="Text, refused" hint={hint} error={error} defaultValue="short" />
      <TextField label="Text, disabled" disabled defaultValue="fixed" />
      <TextField label="A code" mono defaultValue="123 456" />
      <TextAreaField label="Long text" hint={hint} />
      <TextAreaField label="Long text, refused" error={error} />
      <SelectField label="Choice" options={["One", "Two"]} blank="Choose one" />
      <SelectField label="Choice, refused" options={["One", "Two"]} error={error} />
    </div>
  ),
  icons: (
    <ul className="flex flex-wrap gap-6">
      {Object.entries(icons).map(([name, Icon]) => (
        <li key={name}>
          <Icon /> {name}
        </li>
      ))}
    </ul>
  ),
  "line-drawing": (
    <LineDrawing>
      <path d="M4 16h24M16 4v24" />
    </LineDrawing>
  ),
  "mail-link": <MailLink email="support@example.com" />,
  message: (
    <div className="grid gap-4">
      {(["failure", "warning", "success", "neutral"] as const).map((kind) => (
        <Message key={kind} kind={kind}>
          What happened: {kind}.
        </Message>
      ))}
    </div>
  ),
  "page-intro": (
    <PageIntro title="The title of a page">
      <p>What the page is for.</p>
    </PageIntro>
  ),
  "request-id": (
    <RequestIdContext value="0f8fad5b-d9cb-469f-a165-70867728950e">
      <RequestId />
    </RequestIdContext>
  ),
  spinner: <Spinner />,
  "scroll-region": (
    <ScrollRegion label="A long line" className="max-w-xs overflow-x-auto border border-line p-3">
      <pre>livekit-server --config /opt/livekit/livekit.yaml --node-ip 203.0.113.7</pre>
    </ScrollRegion>
  ),
  table: (
    <div className="grid gap-8">
      <Table caption="Ports" columns={["Port", "Purpose", { label: "Copy", unseen: true }]}>
        <tbody>
          <tr>
            <th scope="row">443</th>
            <td>HTTPS, and TURN over TLS where nothing else gets through</td>
            <td>Copy</td>
          </tr>
          <tr>
            <th scope="row">3478/UDP</th>
            <td>TURN</td>
            <td>Copy</td>
          </tr>
        </tbody>
      </Table>
      <Table caption="Tokens per day" columns={["Day", "Input", "Output"]} numeric compact>
        <tbody>
          <tr>
            <th scope="row">2026-11-23</th>
            <td>1200</td>
            <td>345</td>
          </tr>
        </tbody>
      </Table>
      <Table caption="Wider than a phone" columns={["Name", "Value"]}>
        <tbody>
          <tr>
            <th scope="row">A name that does not break</th>
            <td className="whitespace-nowrap">A value of one line that is wider than a phone</td>
          </tr>
        </tbody>
      </Table>
    </div>
  ),
  tabs: (
    <Tabs
      label="Tabs"
      current="one"
      tabs={[
        { id: "one", label: "Current", to: "?tab=one" },
        { id: "two", label: "Other", to: "?tab=two" },
      ]}
    >
      <p>The panel of the current tab.</p>
    </Tabs>
  ),
  "text-link": (
    <>
      <p>
        A sentence with <TextLink to="/">a link</TextLink> and <TextButton>a button</TextButton>.
      </p>
      <TextLink to="/" variant="standalone">
        A link on a line of its own
      </TextLink>
      <br />
      <TextButton variant="standalone">A button on a line of its own</TextButton>
    </>
  ),
};
