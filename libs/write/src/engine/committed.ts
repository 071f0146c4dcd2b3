/** Events were committed to the log. The message stays in the process and may be lost: the relay also polls by itself. */
export class Committed {}
