// Each column as a query parameter, with the operators that its kind has.

import { hasOperator, isKeywords, operators, type Operator } from '@practice/query';
import { componentOf } from '../subject.js';
import { visibleColumns, type Column, type Resource } from '@practice/resource';

/** The parameters of a resource's columns, by name (`filter.clients.name`). */
export function filtersOf(resource: Resource): Record<string, object> {
  const filters = visibleColumns(resource).map(([name, column]) => [
    filterName(componentOf(resource), name),
    filterOf(name, column),
  ]);
  return Object.fromEntries(filters) as Record<string, object>;
}

/** The filter of the id with the id of an example, so that readers can try the call without changes. */
export const exampleTarget = ({ columns }: Resource, id: string): object => ({
  ...filterOf('id', columns.id),
  example: [`eq.${id}`],
});

export const filterName = (resource: string, column: string): string => `filter.${resource}.${column}`;

function filterOf(name: string, column: Column): object {
  const had = [...operators.values()].filter((operator) => hasOperator(column.kind, operator));
  return {
    name,
    in: 'query',
    description: descriptionOf(name, column, had),
    // One parameter for each filter: `date=gte.2030-01-01&date=lt.2030-02-01`.
    schema: { type: 'array', items: { type: 'string', pattern: patternOf(had), examples: ['not.is.null'] } },
    explode: true,
  };
}

function descriptionOf(name: string, { kind }: Column, had: readonly Operator[]): string {
  const words = Object.entries(isKeywords).filter(
    ([, { needsBoolean }]) => !needsBoolean || kind.name === 'boolean',
  );
  return [
    'Filter: `operator.value`. Several filters must all match.',
    `Operators: ${had.map(spelled).join(', ')}; \`not.\` before any of them.`,
    `\`in.(a,b)\`; \`is.\` ${words.map(([word]) => `\`${word}\``).join(', ')}.`,
    ...(kind.name === 'json' ? [`A member: \`${name}->>key=eq.value\`.`] : []),
  ].join(' ');
}

const spelled = ({ name, quantified }: Operator): string => `\`${name}${quantified ? '(any|all)' : ''}\``;

/** The pattern for the beginning of a filter. */
function patternOf(had: readonly Operator[]): string {
  const named = (fits: (operator: Operator) => boolean, behind: string): string[] => {
    const names = had.filter(fits).map(({ name }) => name);
    return names.length === 0 ? [] : [`(${names.join('|')})${behind}`];
  };
  const forms = [
    ...named(({ quantified }) => quantified, '(\\((any|all)\\))?\\.'),
    ...named(({ quantified, operand }) => !quantified && operand !== 'search', '\\.'),
    ...named(({ operand }) => operand === 'search', '(\\([^)]+\\))?\\.'),
  ];
  return `^(not\\.)?(${forms.join('|')})`;
}
