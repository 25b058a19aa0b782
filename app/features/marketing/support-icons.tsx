import { Icon, type IconProps } from "~/ui/primitives/icons";

// Apart from the icons that every page has in its script.

export const EnvelopeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 6.5h17v12h-17zM3.5 7l8.5 6.5L20.5 7" />
  </Icon>
);

export const ConversationIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 4.5h12v8.5H9l-3 3v-3H3.5zM18.5 9h2v8.5H18v2.8l-3-2.8h-4" />
  </Icon>
);

export const ManualIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 6.5C10 5 7 4.5 3.5 4.5V18c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2V4.5C17 4.5 14 5 12 6.5zM12 6.5V20" />
  </Icon>
);
