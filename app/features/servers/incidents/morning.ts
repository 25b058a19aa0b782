/** The hour at which a snooze until morning ends, by the clocks of the workspace's time zone. */
export const morningHour = 9;

/** A servers Worker of before knows no time zone. */
export const untilMorning = (zone = "UTC"): string => `until 09:00 ${zone}`;
