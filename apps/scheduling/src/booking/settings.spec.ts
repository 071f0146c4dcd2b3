import { describe, it } from '@jest/globals';
import { billingSettings, practiceSettings } from '@practice/contracts';
import { recordsOf, specOf } from '@practice/testing';
import { settings } from './settings.js';

const given = specOf(settings);
const record = recordsOf(practiceSettings, {});
const { id } = record();
const set = (but = {}) => ({ type: 'BookingRulesSet', data: record(but) }) as const;
const first = (but = {}) => ({ kind: 'create', record: record(but) }) as const;
const change = (changes: object) => ({ kind: 'change', changes }) as const;

describe('the currency', () => {
  const invoiced = { id, next_invoice_number: 2 };

  it('can change until an invoice is finalized', () => {
    given()
      .when(first({ currency: 'CHF' }))
      .then(set({ currency: 'CHF' }));
    given(set())
      .among(billingSettings, { id, next_invoice_number: 1 })
      .when(change({ currency: 'CHF' }))
      .then({ type: 'BookingRulesChanged', data: { currency: 'CHF' } });
  });

  it('stays once an invoice is finalized, also in an undo', () => {
    for (const [history, command] of [
      [[], first({ currency: 'CHF' })],
      [[set()], change({ currency: 'CHF' })],
      [[set({ currency: 'CHF' })], { ...change({ currency: 'EUR' }), isUndo: true }],
      [[set({ currency: 'CHF' })], { kind: 'delete' }],
    ] as const)
      given(...history)
        .among(billingSettings, invoiced)
        .when(command as never)
        .thenRejects('PM021');
  });

  it('does not keep other settings from a change', () => {
    given()
      .among(billingSettings, invoiced)
      .when(first({ slot_step: 20 }))
      .then(set({ slot_step: 20 }));
    given(set({ currency: 'CHF' }))
      .among(billingSettings, invoiced)
      .when(change({ slot_step: 20 }))
      .then({ type: 'BookingRulesChanged', data: { slot_step: 20 } });
  });
});
