import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { catalog, functions } from '@practice/contracts';
import { swagger } from './swagger.js';

const document = swagger({
  catalog,
  functions: [...functions.values()],
  version: '0.2.0',
  baseUrl: 'https://example.org/practice',
});
const definition = (name: string) => document.definitions[name] as { properties: object; required: string[] };

describe('the Swagger document', () => {
  it('is valid, and every reference resolves', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('has the address of the API', () => {
    expect(document).toMatchObject({
      host: 'example.org',
      basePath: '/practice/rest/v1',
      schemes: ['https'],
    });
  });

  it('has each resource with its methods, body and filters', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/',
      ...[...catalog.readable.keys()].map((name) => `/${name}`),
      ...[...functions.keys()].map((name) => `/rpc/${name}`),
    ]);
    expect(Object.keys(document.paths['/clients'] ?? {})).toEqual(['get', 'post', 'delete', 'patch']);
    expect(Object.keys(document.paths['/conversation_log'] ?? {})).toEqual(['get', 'post']);
    expect(document.parameters).toMatchObject({
      'body.clients': { in: 'body', schema: { $ref: '#/definitions/clients' } },
      'rowFilter.clients.total_visits': { name: 'total_visits', in: 'query', type: 'string' },
    });
  });

  it('marks keys and references for type generators', () => {
    expect(definition('appointments').properties).toMatchObject({
      id: {
        format: 'uuid',
        type: 'string',
        description: expect.stringMatching(/Note:\nThis is a Primary Key\.<pk\/>$/),
      },
      client_id: {
        description: "Note:\nThis is a Foreign Key to `clients.id`.<fk table='clients' column='id'/>",
      },
      start_time: { format: 'time without time zone', type: 'string' },
      status: { default: 'scheduled', enum: expect.arrayContaining(['no_show']) },
    });
    expect(definition('service_menu').properties).toMatchObject({
      price: { format: 'numeric', type: 'number' },
    });
    expect(definition('conversation_log').properties).toMatchObject({
      metadata: { format: 'jsonb', default: {} },
    });
  });

  it('requires columns that are never null, and omits internal columns', () => {
    expect(definition('appointments').required).toContain('end_time');
    expect(definition('appointments').required).not.toContain('notes');
    expect(JSON.stringify(document)).not.toMatch(/\bseat\b/);
  });
});
