import { messageOf } from '@practice/process';

/** An error that the user can fix. Only its message is printed, without a stack. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The text of an error for the terminal: the stack, except of a failure that the user can fix. */
export const textOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof Failure) ? (error.stack ?? error.message) : messageOf(error);
