import type { RestResponse, Repeatable } from '@practice/query';
import { markedKeys, removeMarks } from '@practice/mirror';
import { answerIn } from './group/questions.js';
import type { PracticeView } from './group/practice-view.js';
import { replayOf } from './idempotency.js';
import { requireOpen } from './closed-practice.js';
import type { RemoteKnowledge } from './unit-of-work.js';

export interface Beginning {
  /** The response to the first request with the key of this one. */
  readonly replay: RestResponse | null;
  /** Keys of the records whose marks of this attempt were still there; undefined if something must be loaded first. */
  readonly marked: ReadonlySet<string> | undefined;
}

/**
 * Looks at what a caller's write needs before it decides: whether it was answered before, whether the practice is open, and the
 * marks of its deletions.
 * @throws {Rejection} PM005 when its key was used for another request, PM017 when the practice is closed
 */
export function beginningOf(
  view: PracticeView,
  repeatable: Repeatable | undefined,
  { attempt: { token } }: RemoteKnowledge,
): Beginning {
  const kept = repeatable === undefined ? [] : answerIn(view, repeatable);
  const marks = token === null ? [] : view.run(removeMarks(view.log, [token]));
  const isKnown = kept !== undefined && marks !== undefined;
  const replay = kept === undefined ? null : replayOf(repeatable, kept);
  if (kept !== undefined && replay === null) requireOpen(view);
  return {
    replay,
    marked: isKnown ? markedKeys(marks) : undefined,
  };
}
