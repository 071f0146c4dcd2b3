/** Takes all steps of a piece of long work at once. @returns what they return */
export function allSteps<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
