// The operators of the dialect as the list in docs/api/reading.md. `npm run generate` writes it.

import { grouped } from '@practice/core';
import { hasOperator, isKeywords, operators, type Operator } from '@practice/query';
import { kinds, type Kind } from '@practice/resource';

const keywords = Object.entries(isKeywords);
const truthValues = keywords.filter(([, { needsBoolean }]) => needsBoolean).map(([word]) => code(word));
const others = keywords.filter(([, { needsBoolean }]) => !needsBoolean).map(([word]) => code(word));

/** The value after the operator. */
const values: Readonly<Record<Operator['operand'], string>> = {
  value: 'A literal value of the column’s type',
  pattern: '`*` (or `%`) matches any text, `_` one character; the pattern must match the whole value',
  regex: 'A POSIX regular expression',
  list: '`in.(a,b)`; put a value that contains a comma in double quotes',
  keyword: `${others.join(', ')}; for booleans also ${truthValues.join(', ')}`,
  similar:
    'Words with some of the same trigrams, whatever their case and accents; digits of telephone numbers',
  search: 'A full-text query; `fts(english).word` sets the configuration',
};

const allKinds: readonly Kind[] = [
  kinds.uuid,
  kinds.text,
  kinds.integer,
  kinds.boolean,
  kinds.decimal(10, 2),
  kinds.date,
  kinds.timeOfDay,
  kinds.timestamp,
  kinds.json,
  kinds.texts,
];

/** The list in Markdown, with one item for operators that have the same columns and values. Operators that fit no column are left out. */
export function operatorsList(): string {
  const shown = [...operators.values()].filter((operator) => columnsOf(operator) !== '');
  const groups = grouped(shown.map((one) => [`${one.family} ${one.operand} ${one.quantified}`, one]));
  const rows = [...groups.values()].map((group) => {
    const [first] = group as [Operator, ...Operator[]];
    const names = group.map(({ name, sql }) => `${code(name)} ${code(sql)}`).join(', ');
    const quantified = first.quantified ? `; ${code(`${first.name}(any).{a,b}`)}, \`(all)\`` : '';
    return `- ${names} (${columnsOf(first)}): ${values[first.operand]}${quantified}`;
  });
  return rows.join('\n');
}

function columnsOf(operator: Operator): string {
  const having = allKinds.filter((kind) => hasOperator(kind, operator));
  return having.length === allKinds.length ? 'all' : having.map(({ pgName }) => pgName).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}
