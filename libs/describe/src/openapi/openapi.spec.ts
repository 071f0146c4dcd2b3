import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { catalog, functions } from '@practice/contracts';
import { type Call, openApi } from './openapi.js';

const call = (method: string, access: Call['access']): Call => ({
  method,
  path: '/auth/v1/user',
  access,
  operation: { summary: 'x', responses: { 200: { description: 'x' } } },
});

const document = openApi(
  { catalog, functions: [...functions.values()], version: '0.2.0', baseUrl: 'https://example.org/practice' },
  {
    calls: [call('get', 'user'), call('put', 'key'), call('post', 'open')],
    tags: [],
    schemas: {},
    responses: {},
  },
);
const { paths, components } = document;

describe('the OpenAPI document', () => {
  it('is valid, and every reference resolves', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('has unique operation ids', () => {
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId])),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a filter for each column, with the operators of its kind', () => {
    const pattern = (name: string): RegExp => {
      const { schema } = components['parameters']?.[name] as { schema: { items: { pattern: string } } };
      return new RegExp(schema.items.pattern, 'u');
    };
    expect(pattern('filter.appointments.date').test('gte.2030-01-01')).toBe(true);
    expect(pattern('filter.appointments.date').test('not.eq(any).{2030-01-01}')).toBe(true);
    expect(pattern('filter.appointments.date').test('like.2030*')).toBe(false);
    expect(pattern('filter.clients.name').test('ilike.*ada*')).toBe(true);
    expect(pattern('filter.clients.name').test('wfts(english).ada')).toBe(true);
    expect(pattern('filter.clients.name').test('neq(any).{a}')).toBe(false);
    expect(pattern('filter.conversation_log.metadata').test('cs.{"a":1}')).toBe(true);
  });

  it('marks the columns that an update may only repeat', () => {
    const schema = components['schemas']?.['invoice_items.update'] as { properties: object };
    expect(schema.properties).toMatchObject({ invoice_id: { readOnly: true }, id: { readOnly: true } });
    expect(schema.properties).not.toMatchObject({ description: { readOnly: true } });
  });

  it('requires the right credentials', () => {
    expect(paths['/auth/v1/user']).toMatchObject({
      get: { responses: { 401: { $ref: '#/components/responses/Unauthorized' } } },
      put: { security: [{ apikey: [] }] },
      post: { security: [], responses: { 200: {} } },
    });
    expect(paths['/auth/v1/user']?.['get']).not.toHaveProperty('security');
    expect(paths['/auth/v1/user']?.['post']?.responses).not.toHaveProperty('401');
  });

  it('has a server relative to its own address', () => {
    expect(document['servers']).toEqual([{ url: '/practice' }]);
  });
});
