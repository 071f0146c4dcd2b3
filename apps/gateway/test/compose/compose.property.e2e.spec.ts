// Any embeds, over any number of services: the response equals the result of a plain search through the records.

import { beforeAll, expect, it } from '@jest/globals';
import { newPractice, slot } from '@practice/testing';
import type { Practice } from '@practice/testing';
import fc from 'fast-check';
import { Records } from './records.js';
import type { Row } from '../dialect/row.js';
import { columns, level, parametersOf, selectOf } from './requests.js';

const words = ['ant', 'bee', 'cat', 'dog'];
const tables: Record<string, readonly Row[]> = {};
let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
  const word = (index: number): string => words[index % words.length] as string;
  const add = async (
    resource: string,
    count: number,
    record: (index: number) => object,
  ): Promise<string[]> => {
    const body = Array.from({ length: count }, (_, index) => record(index));
    const added = await practice.rest(resource, { method: 'POST', body });
    expect([added.status, added.text]).toEqual([201, '']);
    tables[resource] = (await practice.rest(resource)).json as Row[];
    return tables[resource].map(({ id }) => id as string);
  };
  const clients = await add('clients', 6, (index) => ({
    name: word(index),
    email: index % 3 === 0 ? null : `${word(index)}@example.com`,
    total_visits: index % 2,
  }));
  const services = await add('service_menu', 3, (index) => ({
    name: word(index),
    duration: 30 + index,
    price: 1,
  }));
  const visits = await add('appointments', 14, (index) => ({
    ...slot(index * 5),
    status: index % 4 === 0 ? 'cancelled' : 'no_show',
    notes: index % 3 === 0 ? null : word(index),
    client_id: index % 5 === 0 ? null : clients[index % 5],
    service_id: index % 4 === 0 ? null : services[index % 3],
  }));
  await add('sessions', 9, (index) => ({
    client_id: tables['appointments']?.[index]?.['client_id'] ?? clients[index % 3],
    appointment_id: index % 3 === 0 ? null : visits[index],
    plan: index % 4 === 0 ? null : word(index),
    subjective: word(index + 1),
  }));
  await add('conversation_log', 8, (index) => ({ client_id: clients[index % 4], content: word(index) }));
});

it('any request', async () => {
  const requests = fc.constantFrom(...Object.keys(columns)).chain((resource) => level(resource, 3));
  let foreign = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (asked) => {
      const path = `${asked.resource}?${[`select=${selectOf(asked)}`, ...parametersOf(asked)].join('&')}`;
      const answer = await practice.rest(path, { headers: { prefer: 'count=exact' } });
      const { total, page } = new Records(tables).answer(asked);
      if (asked.offset > total) {
        expect([path, answer.status]).toEqual([path, 416]);
        return;
      }
      if (answer.status >= 300) throw new Error(`${path} is answered ${answer.status} ${answer.text}`);
      expect([path, JSON.stringify(answer.json)]).toEqual([path, JSON.stringify(page)]);
      expect([path, answer.headers.get('content-range')?.split('/')[1]]).toEqual([path, String(total)]);
      foreign += Number(asked.embeds.length > 0 && page.length > 0);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  expect(foreign).toBeGreaterThan(50);
}, 120_000);
