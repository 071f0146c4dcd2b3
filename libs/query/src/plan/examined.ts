// Requests that examine confidential values without showing them: by a condition, an order, an aggregate, or a cast, which fails for
// some values.

import { reject } from '@practice/core';
import { holdsConfidential, type Resource } from '@practice/resource';
import type { PlannedCondition, PlannedEmbed, PlannedField, PlannedItem } from './read-plan.js';
import type { PlannedTree, ReadNode } from './read-plan.js';

/** A node of a read, or the parts of a node that a write has. */
export type Examining = Pick<ReadNode, 'resource' | 'where'> &
  Partial<Pick<ReadNode, 'embeds' | 'select' | 'order'>>;

/**
 * The name of a confidential column by which the output of a node depends on records that it does not show; undefined without one.
 * Records of other services are ignored here, since the service that stores them checks them.
 */
export function examinedColumn({
  resource,
  where,
  order = [],
  select,
  embeds = [],
}: Examining): string | undefined {
  const found = [
    ...where.map((condition) => inCondition(condition, resource)),
    ...order.map(({ by }) => {
      if (by.kind === 'member') return undefined;
      return by.kind === 'field' ? named(resource, by.field) : named(by.embed.node.resource, by.field);
    }),
    ...(select?.items ?? []).map((item) => inItem(item, resource)),
  ].find((name) => name !== undefined);
  return found ?? firstOf(embeds);
}

const firstOf = (embeds: readonly PlannedEmbed[]): string | undefined =>
  embeds
    .filter(({ isCrossService }) => !isCrossService)
    .map(({ node }) => examinedColumn(node))
    .find((name) => name !== undefined);

const named = (resource: Resource, { column }: PlannedField): string | undefined =>
  holdsConfidential(resource, column.name) ? column.name : undefined;

function inCondition(condition: PlannedCondition, resource: Resource): string | undefined {
  switch (condition.kind) {
    case 'filter':
      return named(resource, condition.field);
    case 'tree':
      return condition.members
        .map((member) => inCondition(member, resource))
        .find((name) => name !== undefined);
    case 'existence':
      return firstOf([condition.embed]);
  }
}

/** The confidential column that a member examines. Members of embeds are checked with the embeds. */
function inItem(item: PlannedItem, resource: Resource): string | undefined {
  switch (item.kind) {
    case 'value':
      return item.cast === null ? undefined : named(resource, item.field);
    case 'aggregate':
      return item.field === null
        ? undefined
        : named(item.through.at(-1)?.node.resource ?? resource, item.field);
    case 'embed':
    case 'spread':
      return undefined;
  }
}

/** The conditions without tests of confidential values. All records that could match with other confidential values meet them. */
export const whateverTheValues = (
  where: readonly PlannedCondition[],
  resource: Resource,
): readonly PlannedCondition[] => where.flatMap((condition) => withoutValues(condition, resource) ?? []);

/** Null for a condition that every record could meet. */
function withoutValues(condition: PlannedCondition, resource: Resource): PlannedCondition | null {
  if (condition.kind !== 'tree') return inCondition(condition, resource) === undefined ? condition : null;
  if (condition.negated) return withoutValues(negatedInside(condition), resource);
  const members = condition.members.map((member) => withoutValues(member, resource));
  const known = members.filter((member) => member !== null);
  const isOpen = condition.operator === 'or' ? known.length < members.length : known.length === 0;
  return isOpen ? null : { ...condition, members: known };
}

/** De Morgan's law. */
const negatedInside = ({ operator, members }: PlannedTree): PlannedCondition => ({
  kind: 'tree',
  negated: false,
  operator: operator === 'and' ? 'or' : 'and',
  members: members.map((member) => ({ ...member, negated: !member.negated })),
});

/**
 * Checks that a write does not examine confidential values: its outcome would depend on values that it does not show.
 * @throws {Rejection} 42501
 */
export function checkWriteExamines(node: Examining): void {
  const column = examinedColumn(node);
  if (column === undefined) return;
  reject('42501', {
    message: `a write cannot filter, cast or aggregate the confidential column "${column}" of ${node.resource.name}`,
    hint: 'Find the records with a GET, which the access log records, and name them with id=in.(…).',
  });
}
