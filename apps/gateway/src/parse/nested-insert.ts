// A nested insert as the gateway reads it: each level is an operation of a batch. See `nestedLevels`.

import { catalog } from '@practice/contracts';
import { type Problem, Rejection } from '@practice/core';
import { nestedLevels } from '@practice/query';
import type { BatchAnswer, BatchOperation, NestedLevel, ParsedRequest, RestRequest } from '@practice/query';
import type { Resource } from '@practice/resource';
import { batchOf, type ParsedBatch } from './parsed-batch.js';

export interface NestedInsert {
  /** In the order of the operations. */
  readonly levels: readonly NestedLevel[];
  readonly batch: ParsedBatch;
  readonly given: RestRequest;
}

/**
 * @returns undefined for a request that inserts no records within records
 * @throws {Rejection} as `nestedLevels` does, and as the operations would be refused as separate requests
 */
export function nestedInsert(
  given: RestRequest,
  request: ParsedRequest,
  resource: Resource,
): NestedInsert | undefined {
  const found = nestedLevels(given, request, { resource, catalog });
  if (found === null) return undefined;
  const levels = ordered(found);
  const isDryRun = request.preferences.tx === 'rollback';
  const operations = levels.map((level, index) =>
    operationOf(level, { number: index + 1, given: given.headers.prefer ?? '', isDryRun }),
  );
  try {
    const batch = batchOf(operations, isDryRun);
    return { levels, batch: { ...batch, nested: true, filled: filledIn(levels) }, given };
  } catch (error) {
    throw error instanceof Rejection ? new Rejection(inPlace(error.problem, levels)) : error;
  }
}

/** Orders the levels so that levels of one service follow each other where possible. Together they are one transaction. */
function ordered(levels: readonly NestedLevel[]): NestedLevel[] {
  const [first, ...rest] = levels;
  const done = first === undefined ? [] : [first];
  while (rest.length > 0) {
    const isReady = ({ within }: NestedLevel): boolean =>
      done.includes(levels[within?.level ?? 0] as NestedLevel);
    const service = done.at(-1)?.resource.service;
    const same = rest.findIndex((level) => isReady(level) && level.resource.service === service);
    done.push(...rest.splice(same < 0 ? rest.findIndex(isReady) : same, 1));
  }
  return done;
}

/** Preferences about values apply to all levels. Preferences about the response apply to no level, other preferences to the outermost level. */
const OF_VALUES = /^(?:missing|timezone)=/;
const OF_RESPONSE = /^(?:return|tx|count|metrics)=/;

function operationOf(
  { resource, columns, rows, isOuter, within }: NestedLevel,
  {
    number,
    given,
    isDryRun,
  }: { readonly number: number; readonly given: string; readonly isDryRun: boolean },
): BatchOperation {
  const kept = given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => (within === null ? !OF_RESPONSE.test(part) : OF_VALUES.test(part)));
  const prefer = [...kept, ...(isOuter || isDryRun ? ['return=representation'] : [])].join(',');
  const names = columns.map((name) => `"${name}"`).join(',');
  const query = `columns=${encodeURIComponent(names)}${isOuter && !isDryRun ? '&select=id' : ''}`;
  return { as: null, method: 'POST', resource: resource.name, query, body: rows, prefer, number };
}

/** Fills in the ids of records that exist already: a part that was carried out before, under the same key, has the ids of that time. */
const filledIn =
  (levels: readonly NestedLevel[]): NonNullable<ParsedBatch['filled']> =>
  (operations, answers) => {
    const present = presentIds(levels, answers);
    if (present.size === 0) return operations;
    return operations.map((operation) => {
      const { rows, keys } = levels[operation.number - 1] as NestedLevel;
      const body = rows.map((row) => ({
        ...row,
        ...Object.fromEntries(keys.map((key) => [key, present.get(String(row[key])) ?? row[key]])),
      }));
      return { ...operation, body };
    });
  };

function presentIds(
  levels: readonly NestedLevel[],
  answers: readonly BatchAnswer[],
): ReadonlyMap<string, string> {
  const present = new Map<string, string>();
  for (const [index, answer] of answers.entries()) {
    const { rows, isOuter } = levels[index] as NestedLevel;
    const ids = isOuter ? (answer.body as readonly { readonly id: string }[]) : [];
    for (const [at, { id }] of ids.entries()) {
      const chosen = String(rows[at]?.['id']);
      if (chosen !== id) present.set(chosen, id);
    }
  }
  return present;
}

const OPERATION = /^Operation (\d+), POST \w+(?:: Record at index (\d+))?/;

/** The refusal with details that name the place in the body instead of the operation that was made from it. */
export function inPlace(problem: Problem, levels: readonly NestedLevel[]): Problem {
  const placed = (details: string): string =>
    details.replace(OPERATION, (whole, number: string, index: string | undefined) => {
      const level = levels[Number(number) - 1];
      if (level === undefined) return whole;
      const [first = level.resource.name] = level.places;
      const isOne = level.places.length === 1;
      return `In ${level.places[Number(index ?? -1)] ?? (isOne ? first : first.replaceAll(/\[\d+\]/g, ''))}`;
    });
  const { details } = problem;
  if (!details) return problem;
  if (typeof details === 'string') return { ...problem, details: placed(details) };
  const named = details.map(({ about, ...others }) => ({
    ...(about !== undefined && { about: placed(about) }),
    ...others,
  }));
  return { ...problem, details: named };
}
