/** Whether npm started this process. If so, the process ends when npm does. */
export function runsUnderNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined;
}
