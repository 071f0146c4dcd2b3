import { reject } from '@practice/core';
import { streamVersions } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { InsertPlan } from '@practice/query';
import { newRecord } from '@practice/resource';
import type { Resource } from '@practice/resource';
import { v7 as uuidv7 } from 'uuid';
import { selectRows } from '../storage/tables.js';
import { forRecord } from './intent.js';
import type { Intent } from './intent.js';

/** The intents of an insert, and the ids that the caller chose. */
export function creations(
  { resource, records, therapistId }: InsertPlan,
  now: string,
): {
  intents: Intent[];
  givenIds: string[];
} {
  const givenIds: string[] = [];
  const intents = records.map((body, index) => {
    const record = forRecord(index, records.length, () =>
      newRecord(resource, body, { therapistId, now, id: () => uuidv7() }),
    );
    const id = String(record['id']);
    if (body['id'] !== undefined && body['id'] !== null) givenIds.push(id);
    return { id, command: { kind: 'create', record }, state: null, version: 0 } as const;
  });
  return { intents, givenIds };
}

/** Checks that ids which the caller chose are free. Ids made here are new and not looked up. */
export function existingRecords(
  resource: Resource,
  therapistId: string,
  ids: readonly string[],
): {
  statements: Statement[];
  continued: (intents: readonly Intent[], answers: readonly TextRow[][]) => Intent[];
} {
  if (ids.length === 0) return { statements: [], continued: (intents) => [...intents] };
  return {
    statements: [
      selectRows(resource, therapistId, { resource: resource.name, column: 'id', values: ids }),
      streamVersions({ service: resource.service, therapistId }, resource.aggregate, ids),
    ],
    continued: (intents, [rows = [], versions = []]) => {
      const idColumn = 1 + Object.keys(resource.columns).indexOf('id');
      const taken = new Set(rows.map((row) => row[idColumn]));
      // The stream of a deleted record goes on where it ended.
      const last = new Map(versions.map(([id, version]) => [id, Number(version)]));
      return intents.map((intent, index) =>
        forRecord(index, intents.length, () => {
          if (taken.has(intent.id)) reject(duplicateId(resource, intent.id));
          taken.add(intent.id);
          return { ...intent, version: last.get(intent.id) ?? 0 };
        }),
      );
    },
  };
}

/** 23505 on the primary key. */
export const duplicateId = (resource: Resource, id: string) => ({
  status: 409,
  code: '23505',
  message: `duplicate key value violates unique constraint "${resource.name}_pkey"`,
  details: `Key (id)=(${id}) already exists.`,
});
