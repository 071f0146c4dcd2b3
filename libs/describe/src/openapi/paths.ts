// The operations on a resource's records.

import { methodsOf, rolesAllowed, visibleColumns } from '@practice/resource';
import type { Access, Catalog, Resource } from '@practice/resource';
import { codeSamples, DELETED_ID, EXAMPLE_ID, examplesOf, type Example } from './examples.js';
import { exampleTarget, filterName } from './filters.js';
import { type Operation, parametersOf, type PathItem, reference } from './document.js';
import { anyRefusals, refusals } from './problems.js';
import { componentOf } from '../subject.js';
import { refusedHead, response } from './responses.js';

/** The operations of a resource, each with an example. Records that cannot be changed have only reads and POST; read-only ones only reads. */
export function pathOf(resource: Resource, catalog: Catalog): PathItem {
  return withExamples(resource, operationsOf(resource, catalog));
}

function operationsOf(resource: Resource, catalog: Catalog): PathItem {
  const all = {
    get: readOf(resource, catalog),
    head: headOf(resource),
    post: createOf(resource),
    patch: changeOf(resource),
    put: putOf(resource),
    delete: removeOf(resource),
  };
  const methods: readonly string[] = methodsOf(resource);
  return Object.fromEntries(Object.entries(all).filter(([method]) => methods.includes(method.toUpperCase())));
}

const FILTERED = ['and', 'or', 'not.and', 'not.or'];
const PAGED = ['select', 'order', 'limit', 'offset'];
const READ = [...FILTERED, 'as_of', 'Prefer.records', 'Accept-Profile', 'X-Request-Id'];
/** The parameters of paging. Histories have a column `after`, and an operation must not have two parameters with the same name. */
const pagesOf = ({ columns }: Resource): string[] =>
  Object.hasOwn(columns, 'after') ? PAGED : [...PAGED, 'after'];
const WRITTEN = ['select', 'Idempotency-Key', 'Change-Reason', 'Content-Profile', 'X-Request-Id'];

const filters = (resource: Resource): string[] =>
  visibleColumns(resource).map(([column]) => filterName(componentOf(resource), column));

/** The filters of a write. The filter of the id has an example value, since a write without a filter is refused. */
const targets = (resource: Resource, id: string): object[] => [
  exampleTarget(resource, id),
  ...parametersOf([
    ...filters(resource).filter((name) => name !== filterName(resource.name, 'id')),
    ...FILTERED,
  ]),
];

function readOf(resource: Resource, catalog: Catalog): Operation {
  const { description } = resource;
  const related = relatedTo(resource, catalog);
  return {
    ...head(resource, 'read', `Read ${titleOf(resource)}`),
    description:
      related.length === 0 ? description : `${description} Related records: ${related.join(', ')}.`,
    parameters: parametersOf([...pagesOf(resource), ...filters(resource), ...READ, 'Range', 'If-None-Match']),
    responses: {
      200: response(`${componentOf(resource)}.read`),
      206: response(`${componentOf(resource)}.read`, 'A page of the records; `Content-Range` has the total.'),
      304: response('NotModified'),
      ...refusals(...anyRefusals, 'RangeNotSatisfiable'),
    },
  };
}

function relatedTo({ name }: Resource, { links: relations }: Catalog): string[] {
  return [
    ...relations
      .filter(({ from }) => from === name)
      .map((relation) => `\`${relation.there === undefined ? relation.to : relation.name}\` (one)`),
    ...relations
      .filter(({ to, there }) => to === name && there === undefined)
      .map(({ from }) => `\`${from}\` (many)`),
  ];
}

const titleOf = ({ name }: Resource): string => name.replaceAll('_', ' ');

/** The members that every operation has, by the verb of its id. */
const head = ({ name, historyOf }: Resource, verb: string, summary: string) => ({
  tags: [historyOf?.name ?? name],
  operationId: `${verb}_${name}`,
  summary,
});

function headOf(resource: Resource): Operation {
  return {
    ...head(resource, 'count', `Count ${titleOf(resource)}: the headers of a read without its body`),
    parameters: parametersOf([...pagesOf(resource), ...filters(resource), ...READ, 'If-None-Match']),
    responses: {
      200: response('Counted'),
      206: response('Counted', 'GET would return a page of the records.'),
      304: response('NotModified'),
      300: response('Refused'),
      ...refusedHead,
    },
  };
}

function createOf(resource: Resource): Operation {
  const { name, appendOnly } = resource;
  const merged = response(`${name}.written`, 'Merged into existing records.');
  return {
    ...head(resource, 'create', `Create ${titleOf(resource)}: one, or up to 1,000 (all or nothing)`),
    parameters: parametersOf([...WRITTEN, 'columns', 'on_conflict', 'Prefer.create']),
    requestBody: bodyOf(`${name}.insert`, { many: true }),
    responses: {
      ...(appendOnly === true ? {} : { 200: merged }),
      201: response(`${name}.written`, 'Created; a body with `return=representation`.'),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'TooLarge', 'Full'),
      ...(appendOnly === true ? {} : refusals('Changed')),
    },
  };
}

function changeOf(resource: Resource): Operation {
  const { name } = resource;
  return {
    ...head(resource, 'change', `Update all ${titleOf(resource)} that match the filters`),
    parameters: [
      ...targets(resource, EXAMPLE_ID),
      ...parametersOf([...WRITTEN, 'order', 'columns', 'Prefer.change', 'If-Match']),
    ],
    requestBody: bodyOf(`${name}.update`, { many: false }),
    responses: {
      ...written(name, 'Updated'),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'Changed', 'TooLarge', 'Full'),
    },
  };
}

function putOf(resource: Resource): Operation {
  const { name } = resource;
  return {
    ...head(resource, 'put', `Create one record of ${titleOf(resource)}, or change it, by id`),
    parameters: parametersOf(['id', ...WRITTEN, 'Prefer.put']),
    requestBody: bodyOf(`${name}.insert`, { many: false }),
    responses: {
      201: response(`${name}.written`, 'Created.'),
      ...written(name, 'Changed'),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'Changed', 'TooLarge', 'Full'),
    },
  };
}

function removeOf(resource: Resource): Operation {
  const { name } = resource;
  return {
    ...head(resource, 'delete', `Delete all ${titleOf(resource)} that match the filters`),
    parameters: [
      ...targets(resource, DELETED_ID),
      ...parametersOf([...WRITTEN, 'order', 'Prefer.delete', 'If-Match']),
    ],
    responses: {
      ...written(name, 'Deleted'),
      ...refusals(...anyRefusals, 'MethodNotAllowed', 'Conflict', 'Changed', 'TooLarge', 'Full'),
    },
  };
}

const written = (name: string, what: string): Record<string, object> => ({
  200: response(`${name}.written`, `${what}. With \`return=representation\`: the records.`),
  204: response('Written', `${what}.`),
});

function bodyOf(schema: string, { many }: { readonly many: boolean }): object {
  const one = reference('schemas', schema);
  return {
    required: true,
    content: {
      'application/json': {
        schema: many ? { anyOf: [one, { type: 'array', items: one, maxItems: 1000 }] } : one,
      },
      'text/csv': {
        schema: {
          type: 'string',
          description: 'A line with the column names, then one line for each record.',
        },
      },
      'application/x-www-form-urlencoded': { schema: one },
    },
  };
}

function withExamples(resource: Resource, operations: PathItem): PathItem {
  const examples = new Map(examplesOf(resource).map((example) => [example.method.toLowerCase(), example]));
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => {
      const example = examples.get(method);
      return [method, example === undefined ? operation : withExample(operation, resource, example)];
    }),
  );
}

/** An operation with an example: as code in the description, and for programs in `x-example`. */
function withExample(operation: Operation, resource: Resource, example: Example): Operation {
  const { method, query, body } = example;
  return {
    ...operation,
    description: [operation['description'], rolesOf(resource, method), codeSamples(resource, example)]
      .filter(Boolean)
      .join('\n\n'),
    ...(body !== undefined && { requestBody: withBody(operation['requestBody'] as Body, body) }),
    'x-example': { method, path: `/${resource.name}${query}`, ...(body !== undefined && { body }) },
  };
}

/** The right that a method needs. */
const rights: Readonly<Record<Example['method'], Exclude<Access, 'none'>>> = {
  ...({ GET: 'read', HEAD: 'read', DELETE: 'delete' } as const),
  ...({ POST: 'write', PUT: 'write', PATCH: 'write' } as const),
};

const rolesOf = (resource: Resource, method: Example['method']): string =>
  `Roles: ${rolesAllowed(resource, rights[method]).join(', ')}.`;

interface Body {
  readonly content: Readonly<Record<string, object>>;
}

const withBody = (given: Body, example: object): object => ({
  ...given,
  content: { ...given.content, 'application/json': { ...given.content['application/json'], example } },
});
