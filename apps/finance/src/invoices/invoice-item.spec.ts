import { describe, it } from '@jest/globals';
import { appointments, invoiceItems, invoices, serviceMenu, taxes } from '@practice/contracts';
import type { InvoiceItem } from '@practice/contracts';
import { deciderOf, type Draft } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';

const [invoiceId, client, other, service, visit, tax] = ['a1', 'c1', 'c2', '51', 'a9', '71'].map(
  (end) => `018f0000-0000-7000-8000-0000000000${end}`,
) as [string, string, string, string, string, string];
const parent = recordsOf(invoices, { id: invoiceId, client_id: client });
const item = recordsOf(invoiceItems, {
  ...{ invoice_id: invoiceId, client_id: client, description: 'A session', unit_price: '10.00' },
});
const given = specOf(deciderOf(invoiceItems));
const create = (but: object = {}) =>
  ({
    kind: 'create',
    record: { ...item(), client_id: null, ...but } as Draft<typeof invoiceItems>,
  }) as const;
const priced = (but: Partial<InvoiceItem>) =>
  ({ type: 'InvoiceItemAdded', data: item({ amount: '10.00', total: '10.00', ...but }) }) as const;
const fromBooking = { service_id: service, appointment_id: visit, description: null, unit_price: null };
const story = given().among(invoices, parent());

describe('a new item', () => {
  it('belongs to the client of the invoice and has its amounts', () => {
    story
      .when(create({ quantity: '2.50' }))
      .then(priced({ quantity: '2.50', amount: '25.00', total: '25.00' }));
  });

  it('stores the rate of its tax', () => {
    story
      .among(taxes, { id: tax, rate: '19.000' })
      .when(create({ tax_id: tax }))
      .then(priced({ tax_id: tax, tax_rate: '19.000', tax_amount: '1.90', total: '11.90' }));
  });

  it('has the name of the service and the price of the booking', () => {
    story
      .among(serviceMenu, { id: service, name: 'Individual', price: '120.00' })
      .among(appointments, { id: visit, client_id: client, price: '110.00' })
      .when(create(fromBooking))
      .then(
        priced({
          ...{ service_id: service, appointment_id: visit, description: 'Individual' },
          ...{ unit_price: '110.00', amount: '110.00', total: '110.00' },
        }),
      );
  });

  it('is refused for an appointment of another client', () => {
    const booked = story.among(serviceMenu, { id: service, name: 'Individual', price: '120.00' });
    booked
      .among(appointments, { id: visit, client_id: other, price: null })
      .when(create(fromBooking))
      .thenRejects('23503');
  });

  it('is refused if the caller sets its amounts', () => {
    story.when(create({ total: '1.00' })).thenRejects('428C9');
  });
});

describe('an item', () => {
  const history = priced({});

  it('has new amounts when its quantity changes', () => {
    given(history)
      .among(invoices, parent())
      .when({ kind: 'change', changes: { quantity: '3.00' } })
      .then({
        type: 'InvoiceItemChanged',
        data: { quantity: '3.00', amount: '30.00', total: '30.00' },
      });
  });

  it('gets the rate of a new tax, and on request the price of its service', () => {
    given(history)
      .among(invoices, parent())
      .among(taxes, { id: tax, rate: '19.000' })
      .when({ kind: 'change', changes: { tax_id: tax } })
      .then({
        type: 'InvoiceItemChanged',
        data: { tax_id: tax, tax_rate: '19.000', tax_amount: '1.90', total: '11.90' },
      });
    given(priced({ service_id: service }))
      .among(invoices, parent())
      .among(serviceMenu, { id: service, name: 'Individual', price: '120.00' })
      .when({ kind: 'change', changes: { unit_price: null } })
      .then({
        type: 'InvoiceItemChanged',
        data: { unit_price: '120.00', amount: '120.00', total: '120.00' },
      });
  });

  it('keeps its text if it has no service to take a text from', () => {
    given(history)
      .among(invoices, parent())
      .when({ kind: 'change', changes: { description: null } })
      .thenNothing();
  });

  it('is final with its invoice', () => {
    const finalized = given(history).among(invoices, parent({ status: 'open' }));
    finalized.when({ kind: 'change', changes: { quantity: '3.00' } }).thenRejects('PM021');
    finalized.when({ kind: 'delete' }).thenRejects('PM021');
    finalized.when({ kind: 'change', changes: { tax_rate: '19.000' }, isUndo: true }).thenRejects('PM021');
  });
});
