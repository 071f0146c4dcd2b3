/** Prints a line of the result of a command. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints a mistake in the arguments of a command. The exit status is 1. */
export function refuse(mistake: string): void {
  process.stderr.write(`${mistake}\n`);
  process.exitCode = 1;
}
