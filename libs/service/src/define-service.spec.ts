import { describe, expect, it } from '@jest/globals';
import { Controller, Injectable } from '@nestjs/common';
import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { appointments, clients } from '@practice/contracts';
import { policy, type Decider } from '@practice/resource';
import { defineService } from './define-service.js';

const decider: Decider<typeof clients> = { definition: clients, lookups: () => [], decide: () => [] };

const countVisits = policy({
  when: appointments,
  reads: ['status'],
  since: 'beginning',
  acts: clients,
  concerns: () => null,
  react: () => [],
});

describe('a service', () => {
  it('has the deciders and policies that its rules export', () => {
    const { deciders, policies } = defineService('clients', { rules: { decider, countVisits, other: 1 } });
    expect([deciders, policies]).toEqual([[decider], [{ ...countVisits, name: 'countVisits' }]]);
  });

  it('has the controllers, handlers and other providers that its rules export', () => {
    const [Calendar, Clock, Act, Look] = [class {}, class {}, class {}, class {}];
    Controller()(Calendar);
    Injectable()(Clock);
    CommandHandler(class {})(Act);
    QueryHandler(class {})(Look);
    const rules = { Calendar, Clock, Act, Look, other: class {} };
    const { controllers, providers, functions } = defineService('clients', { rules });
    expect([controllers, providers, functions]).toEqual([[Calendar], [Clock, Act, Look], []]);
  });

  it('mirrors the columns that its policies and deciders read, and the records to which its records refer', () => {
    expect(defineService('clients', { rules: { countVisits } }).mirrored).toEqual({
      appointments: ['status'],
      practices: ['erase_at', 'erased_at'],
    });
    expect(
      defineService('clients', { rules: { countVisits }, reads: { appointments: ['client_id', 'status'] } })
        .mirrored,
    ).toEqual({ appointments: ['status', 'client_id'], practices: ['erase_at', 'erased_at'] });
    expect(defineService('clinical-notes', { rules: {} }).mirrored).toEqual({
      clients: [],
      memberships: ['user_id', 'status', 'role'],
      appointments: [],
      practices: ['erase_at', 'erased_at'],
      erasures: ['client_id'],
    });
  });

  it('mirrors whether a practice is closed, unless it owns the practices', () => {
    expect(defineService('webhooks', { rules: {} }).mirrored).toEqual({
      practices: ['erase_at', 'erased_at'],
    });
    expect(defineService('identity', { rules: {} }).mirrored).toEqual({});
  });

  it('cannot have rules for a resource of another service', () => {
    expect(() => defineService('finance', { rules: { decider } })).toThrow('clients, which it does not own');
    expect(() => defineService('finance', { rules: { countVisits } })).toThrow(
      'clients, which it does not own',
    );
  });

  it('cannot react to its own resource', () => {
    const own = { ...countVisits, when: 'clients' };
    expect(() => defineService('clients', { rules: { own } })).toThrow('reacts to clients, which it owns');
  });

  it('cannot react to a resource that does not exist', () => {
    const lost = { ...countVisits, when: 'rooms' };
    expect(() => defineService('clients', { rules: { lost } })).toThrow(
      'reacts to rooms, which does not exist',
    );
  });
});
