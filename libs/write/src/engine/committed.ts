/** Something was committed to the log. In-process and lossy: the relay looks by itself if this never arrives. */
export class Committed {}
