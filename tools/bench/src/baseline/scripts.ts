// The reads as pgbench scripts. Its variables are parameters of prepared statements.

import { examples } from '../reads.js';
import { familyNames } from '../seed/records.js';
import type { Practice } from '../seed/seed.js';
import { statementOf } from './sql.js';

/** Scripts, each about another practice. */
export interface Scripts {
  readonly scripts: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

export const measuredReads = ['day', 'list', 'search', 'notes', 'expenses'] as const;

/** pgbench takes 128 scripts at most. */
const MAX_SCRIPTS = 100;

/** The statement of a read. */
export function readScripts(
  scenario: (typeof measuredReads)[number],
  practices: readonly Practice[],
): Scripts {
  const isOfRecords = scenario !== 'day' && scenario !== 'list';
  const some = practices.filter(({ regulars }) => !isOfRecords || regulars.length > 0).slice(0, MAX_SCRIPTS);
  const statements = some.map(({ id, regulars }) =>
    statementOf(id, examples(familyNames[0] as string, regulars[0] ?? id)[scenario]),
  );
  const variable = (script: number, index: number): string => `v${script}_${index}`;
  return {
    scripts: statements.map(
      ({ text }, script) =>
        `${text.replace(/\$(\d+)/g, (_, number: string) => `:${variable(script, Number(number) - 1)}`)};\n`,
    ),
    variables: Object.fromEntries(
      statements.flatMap(({ values }, script) =>
        values.map((value, index) => [variable(script, index), value]),
      ),
    ),
  };
}
