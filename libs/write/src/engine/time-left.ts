/** Work for a caller ends this long before its deadline, so that the answer arrives in time, also from a busy machine. */
export const MARGIN_MS = 500;

/**
 * How long a write may still take, in milliseconds. If nothing is left, it must not begin, or be committed: its caller learns that
 * nothing was written, while a commit after the deadline would be one that the caller does not know about.
 * @param deadline milliseconds since the epoch, after which the caller no longer waits
 */
export const timeLeft = (deadline: number): number => deadline - MARGIN_MS - Date.now();
