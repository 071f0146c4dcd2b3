import { describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import { appendEvents, lockPractice } from '@practice/event-store';
import { compileRead, compileTargets, parseRequest, planRead, planWrite } from '@practice/query';
import type { RestHeaders } from '@practice/query';
import {
  appendText,
  countText,
  csvText,
  dayText,
  expensesText,
  listText,
  lockText,
  notesText,
  searchText,
  targetText,
  withinText,
} from './sql.js';

const context = { catalog, therapistId: '018f0000-0000-7000-8000-00000000000a' };
const headers = { 'content-type': 'application/json' };

const parsed = (
  method: string,
  query: string,
  {
    body = '',
    resource = 'appointments',
    more = {},
  }: { body?: string; resource?: string; more?: RestHeaders },
) =>
  parseRequest({
    method,
    resource,
    query,
    headers: { ...headers, ...more },
    body: new TextEncoder().encode(body),
  });

const readText = (query: string, resource = 'appointments', more: RestHeaders = {}): string =>
  compileRead(planRead(parsed('GET', query, { resource, more }), context)).text;

describe('the baselines run the SQL of the service', () => {
  it('for reads', () => {
    expect(dayText('scheduling')).toBe(readText('date=eq.2027-01-04&order=start_time.asc'));
    expect(listText('scheduling')).toBe(
      readText(
        'status=in.(scheduled,confirmed)&date=gte.2027-01-04&date=lte.2027-01-18&order=date.asc,start_time.asc&limit=50',
      ),
    );
  });

  it('for reads of the other services', () => {
    expect(searchText).toBe(readText('name=ilike.*weber*&order=name.asc', 'clients'));
    expect(notesText).toBe(
      readText(`client_id=eq.${context.therapistId}&order=created_at.desc&limit=50`, 'sessions'),
    );
    expect(expensesText).toBe(readText('order=date.desc&limit=100', 'expenses'));
  });

  it('for shapes of answers', () => {
    const day = 'date=eq.2036-01-07&order=start_time.asc&select=start_time,end_time,status';
    expect(withinText).toBe(readText(`${day},service_menu(name,price)`));
    expect(countText).toBe(
      readText('order=date.asc,start_time.asc&limit=50', 'appointments', { prefer: 'count=exact' }),
    );
    expect(csvText).toBe(readText('order=date.desc', 'expenses', { accept: 'text/csv' }));
  });

  it('for writes', () => {
    const log = { service: 'scheduling', therapistId: context.therapistId, position: 0 };
    const plan = planWrite(
      parsed('PATCH', `id=eq.${context.therapistId}`, { body: '{"status":"confirmed"}' }),
      context,
    );
    expect(plan.kind === 'update' && compileTargets(plan).text).toBe(targetText('scheduling'));
    expect(lockPractice('scheduling', context.therapistId).text).toBe(lockText('scheduling'));
    expect(appendEvents(log, []).text).toBe(appendText('scheduling'));
  });
});
