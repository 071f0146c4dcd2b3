// The events that an undo takes back, the newest first.

import { noSuchChange, readChangeId, type ChosenChanges } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Resumable } from '../engine/group/resumable.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { eventsOfActor, eventsOfChanges, isBy, readEvents } from './logged-events.js';
import type { ByActor, LoggedEvent } from './logged-events.js';

/** More than the largest write has. */
const MAX_EVENTS = 5_000;

/**
 * @throws {Rejection} PM404 for a change that the practice does not have; PM413 for too many events
 */
export function* chosenEvents(view: PracticeView, chosen: ChosenChanges): Resumable<readonly LoggedEvent[]> {
  const statement =
    chosen.kind === 'actor'
      ? eventsOfActor(view.log, chosen, MAX_EVENTS + 1)
      : eventsOfChanges(view.log, chosen.ids.map(named), MAX_EVENTS + 1);
  const rows = yield* view.rows(statement);
  if (rows.length > MAX_EVENTS) reject(tooMany);
  const events = yield* readEvents(rows);
  if (chosen.kind === 'actor') return standing(events, chosen);
  const found = new Set(events.map(({ metadata: { changeId } }) => changeId));
  const missing = chosen.ids.find((id) => !found.has(id));
  if (missing !== undefined) reject(noSuchChange(missing));
  return events;
}

const named = (id: string) => ({ id, position: readChangeId(id)?.position ?? 0 });

/**
 * The events of an actor that still have an effect. A change that an undo has taken back has no effect, unless that undo was
 * taken back itself. An undo by which the actor has taken back an own change has no effect either. The events of records that
 * followed name no change, so they count with the undo that they are part of.
 * @param events the newest first, with the undos by anybody
 */
export function standing(events: readonly LoggedEvent[], by: ByActor): LoggedEvent[] {
  const own = new Set(events.filter((event) => isBy(by, event)).map(({ metadata }) => metadata.changeId));
  const ofOwn = events.filter(({ metadata: { undoes } }) => undoes !== undefined && own.has(undoes));
  const undos = new Set(ofOwn.map(({ metadata }) => metadata.changeId));
  const takenBack = new Set<string | undefined>();
  return events.filter(({ metadata: { changeId, undoes } }) => {
    if (takenBack.has(changeId)) return false;
    const isOwnUndo = undoes === undefined ? undos.has(changeId) : own.has(undoes);
    if (own.has(changeId) && !isOwnUndo) return true;
    if (undoes !== undefined) takenBack.add(undoes);
    return false;
  });
}

const tooMany = problemFor('PM413', {
  message: `An undo takes back at most ${MAX_EVENTS} events`,
  hint: 'Undo fewer changes, or a shorter time, at once: the newest first.',
});
