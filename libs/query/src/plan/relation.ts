import { reject } from '@practice/core';
import type { Catalog, Relation, Resource } from '@practice/resource';
import { nearest } from '../nearest.js';
import type { SelectedEmbed } from '../parse/select.js';

/**
 * Checks that the embed names something related.
 * @throws {Rejection} PGRST200
 */
export function checkRelation(
  resource: Resource,
  { target, hint }: SelectedEmbed,
  { relations }: Catalog,
): void {
  const own = relations.filter(({ from, to }) => from === resource.name || to === resource.name);
  if (own.some((relation) => leadsTo(relation, resource.name, target))) return;
  const near = nearest(
    target,
    own.map((relation) => otherEnd(relation, resource.name)),
  );
  const hinted = hint === null ? '' : ` using the hint '${hint.slice(0, 100)}'`;
  const named = target.slice(0, 100);
  reject({
    status: 400,
    code: 'PGRST200',
    message: `Could not find a relationship between '${resource.name}' and '${named}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${resource.name}' and '${named}'${hinted} in the schema 'public', but no matches were found.`,
    hint: near === null || near === target ? null : `Perhaps you meant '${near}' instead of '${named}'.`,
  });
}

/** A relation is named by the resource at its other end, by its own name, or by the column that refers. */
const leadsTo = (relation: Relation, from: string, target: string): boolean =>
  otherEnd(relation, from) === target ||
  relation.name === target ||
  (relation.from === from && relation.column === target);

const otherEnd = ({ from, to }: Relation, here: string): string => (from === here ? to : from);
