// Columns that callers read and the rules set.

import { reject } from '@practice/core';
import type { Resource, Row } from '@practice/resource';

/**
 * Checks that a new record leaves these columns to the server.
 * @throws {Rejection} 428C9, as Postgres words it
 */
export function checkLeft({ columns }: Resource, record: object, names: readonly string[]): void {
  for (const name of names)
    if (((record as Row)[name] ?? null) !== (columns[name]?.default ?? null))
      reject({
        status: 400,
        code: '428C9',
        message: `cannot insert a non-DEFAULT value into column "${name}"`,
        details: 'The server sets it.',
      });
}
