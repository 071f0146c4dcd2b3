/** Work for a caller ends this long before its deadline, so that the answer arrives in time, also from a busy machine. */
export const MARGIN_MS = 500;

/**
 * How long a write may still take, in milliseconds. If no time is left, the write must not begin or be committed: its caller is
 * informed that nothing was written, and would not know about a later commit.
 * @param deadline milliseconds since the epoch, after which the caller no longer waits
 */
export const timeLeft = (deadline: number): number => deadline - MARGIN_MS - Date.now();
