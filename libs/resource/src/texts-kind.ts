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

/** An element of an array literal: plain, or in double quotes with backslashes before quotes and backslashes. */
const ELEMENT = /^(?:"((?:[^"\\]|\\.)*)"|([^",{}\\\s](?:[^",{}\\]*[^",{}\\\s])?))$/;
const SEPARATED = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;

/** The elements of an array literal such as `{a,"b c"}`; undefined for other texts, and for nested arrays and nulls. */
function fromLiteral(text: string): readonly string[] | undefined {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1]?.trim();
  if (inner === undefined) return undefined;
  if (inner === '') return [];
  const parts = inner.match(SEPARATED) ?? [];
  if (parts.join(',') !== inner) return undefined;
  const elements = parts.map((part) => {
    const match = ELEMENT.exec(part.trim());
    if (match === null || /^null$/i.test(match[2] ?? '')) return undefined;
    return match[2] ?? (match[1] ?? '').replaceAll(/\\(.)/gs, '$1');
  });
  return elements.every((element) => element !== undefined) ? elements : undefined;
}
