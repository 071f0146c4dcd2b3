// The questions of the write path, answered for the practice as it is within the group.

import { streamVersions } from '@practice/log';
import type { TextRow } from '@practice/log';
import type { Lookup, Resource } from '@practice/resource';
import { readEntries, readMatch, selectEntries, selectMatches } from '@practice/mirror';
import type { MirrorEntry, MirrorMatch } from '@practice/mirror';
import { readRows, searchRows } from '@practice/storage';
import type { Versioned } from '@practice/storage';
import { answerRow, selectAnswers } from '../idempotency.js';
import type { Repeatable } from '@practice/query';
import { NeedsOwnTransaction } from './practice-view.js';
import type { PracticeView, QuestionKind } from './practice-view.js';

type Kind<Answer> = QuestionKind<string, Answer>;

const kinds = new Map<string, Kind<unknown>>();

function kindOf<Answer>(name: string, make: () => Omit<Kind<Answer>, 'name' | 'keyOf'>): Kind<Answer> {
  const known = kinds.get(name) as Kind<Answer> | undefined;
  if (known !== undefined) return known;
  const kind = { name, keyOf: (item: string) => item, ...make() };
  kinds.set(name, kind);
  return kind;
}

const recordsBy = (resource: Resource, column: string, limit: number | undefined): Kind<Versioned[]> =>
  kindOf(`${resource.name}.${column} ${limit ?? ''}`, () => ({
    statement: (_, asked) =>
      searchRows(resource, {
        column,
        limit,
        wanted: asked.map(({ therapistId, item }) => ({ therapistId, value: item })),
      }),
    answer: (rows) => readRows(resource, rows),
  }));

const versionOf = ({ service, aggregate }: Resource): Kind<number> =>
  kindOf(`versions of ${aggregate}`, () => ({
    statement: (_, asked) =>
      streamVersions(
        service,
        aggregate,
        asked.map(({ therapistId, item }) => ({ therapistId, id: item })),
      ),
    answer: ([row]) => Number(row?.[0] ?? 0),
  }));

const entryOf = (resource: string): Kind<MirrorEntry[]> =>
  kindOf(`mirror of ${resource}`, () => ({
    statement: (service, asked) =>
      selectEntries(
        service,
        resource,
        asked.map(({ therapistId, item }) => ({ therapistId, id: item })),
      ),
    answer: (rows) => readEntries(resource, rows),
  }));

const matchOf = (resource: string, column: string): Kind<MirrorMatch> =>
  kindOf(`mirror of ${resource} by ${column}`, () => ({
    statement: (service, asked) =>
      selectMatches(
        service,
        { resource, column },
        asked.map(({ therapistId, item }) => ({ therapistId, value: item })),
      ),
    answer: (rows, value) => readMatch({ resource, column, value }, rows),
  }));

const keptAnswer: Kind<readonly TextRow[]> = {
  name: 'kept answers',
  keyOf: (key) => key,
  statement: (service, asked) =>
    selectAnswers(
      service,
      asked.map(({ therapistId, item }) => ({ therapistId, key: item })),
    ),
  answer: (rows) => rows,
};

/** The records of the own service that a lookup finds; undefined if they must be loaded first. */
export function recordsIn(
  view: PracticeView,
  resource: Resource,
  { column, values, limit }: Pick<Lookup, 'column' | 'values' | 'limit'>,
): Versioned[] | undefined {
  const kind = recordsBy(resource, column, limit);
  const stored = answered(values.map((value) => view.ask(kind, value)));
  if (stored === undefined) return undefined;
  const staged = view.staged.of(resource.name);
  if (staged.size === 0) return stored.flat();
  // A limited lookup has found only some of the records, perhaps only the ones that this group has changed.
  if (limit !== undefined) throw new NeedsOwnTransaction();
  const untouched = stored.flat().filter(({ row }) => !staged.has(String(row['id'])));
  const decided = [...staged.values()].flatMap(({ state: row, version }) =>
    row !== null && values.includes(String(row[column])) ? [{ row, version }] : [],
  );
  return [...untouched, ...decided];
}

/** The last versions of these records' streams, 0 for one that never existed; undefined if they must be loaded first. */
export function versionsIn(
  view: PracticeView,
  resource: Resource,
  ids: readonly string[],
): ReadonlyMap<string, number> | undefined {
  const kind = versionOf(resource);
  const versions = answered(ids.map((id) => view.ask(kind, id)));
  if (versions === undefined) return undefined;
  const staged = view.staged.of(resource.name);
  return new Map(ids.map((id, index) => [id, staged.get(id)?.version ?? versions[index] ?? 0]));
}

/** The mirror's entries for these records of another service; undefined if they must be loaded first. */
export function entriesIn(
  view: PracticeView,
  resource: string,
  ids: readonly string[],
): MirrorEntry[] | undefined {
  const kind = entryOf(resource);
  return answered(ids.map((id) => view.ask(kind, id)))?.flat();
}

/** The mirror's records of another service with these values in a column; undefined if they must be loaded first. */
export function matchesIn(
  view: PracticeView,
  { resource, column, values }: Pick<Lookup, 'resource' | 'column' | 'values'>,
): MirrorMatch[] | undefined {
  const kind = matchOf(resource, column);
  return answered(values.map((value) => view.ask(kind, value)));
}

/** The answer that is kept under a key, as a row or none; undefined if it must be loaded first. */
export function answerIn(view: PracticeView, { key }: Repeatable): readonly TextRow[] | undefined {
  const staged = view.kept.get(key);
  return staged === undefined ? view.ask(keptAnswer, key) : [answerRow(staged)];
}

/** All of the answers; undefined if one is missing. */
const answered = <T>(answers: readonly (T | undefined)[]): T[] | undefined =>
  answers.includes(undefined) ? undefined : (answers as T[]);
