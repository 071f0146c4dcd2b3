// Lists of texts.

import { invalidSyntax, parsed, type Kind, type Parsed } from './kind.js';

/** A list of texts: a JSON array, or an array literal of Postgres. */
export const texts: Kind<readonly string[]> = {
  name: 'texts',
  sqlType: 'text[]',
  pgName: 'text[]',
  expects: 'a list of texts: ["a","b"], or {a,b} in a URL',
  families: ['equality', 'order', 'containment', 'array'],
  parse: parseTexts,
  fromText: (text) => fromLiteral(text) ?? [],
  toJson: (value) => JSON.stringify(value),
  immutableText: (column) => `${column}::text`,
  schema: { type: 'array', items: { type: 'string' } },
  typescript: 'string[]',
};

function parseTexts(input: unknown): Parsed<readonly string[]> {
  const list = typeof input === 'string' ? fromLiteral(input) : input;
  const isList =
    Array.isArray(list) && list.every((each) => typeof each === 'string' && !each.includes('\0'));
  return isList ? parsed(list as readonly string[]) : invalidSyntax('text[]', input);
}

/** An element of an array literal, with the comma after it: plain, or in double quotes with backslashes before quotes and backslashes. */
const ELEMENT = /\s*(?:"((?:[^"\\]|\\.)*)"|([^",{}\\\s](?:[^",{}\\]*[^",{}\\\s])?))\s*(?:,|$)/gy;

/** The elements of an array literal such as `{a,"b c"}`; undefined for other texts, and for nested arrays and nulls. */
function fromLiteral(text: string): readonly string[] | undefined {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1]?.trim();
  if (inner === undefined) return undefined;
  if (inner === '') return [];
  const found = [...inner.matchAll(ELEMENT)];
  const isWhole = found.map(([all]) => all).join('') === inner && !inner.endsWith(',');
  if (!isWhole || found.some(([, , plain = '']) => /^null$/i.test(plain))) return undefined;
  return found.map(([, quoted = '', plain]) => plain ?? quoted.replaceAll(/\\(.)/g, '$1'));
}
