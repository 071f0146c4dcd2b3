import { describe, expect, it } from '@jest/globals';
import { invoiceItems, packages, type Appointment, type Package } from '@practice/contracts';
import { recordsOf, reactionsOf, specOf } from '@practice/testing';
import { sessionPackage } from '../packages/package.js';
import { usePackageWhenAppointmentCompletes } from './use-package-when-appointment-completes.js';

type Visit = Pick<Appointment, 'id' | 'client_id' | 'service_id' | 'status' | 'date'>;

const { on } = reactionsOf(usePackageWhenAppointmentCompletes);

const id = 'visit';
const visit = (status: Visit['status'], but: Partial<Visit> = {}): Visit => ({
  ...{ id, status, client_id: 'ada', service_id: 'therapy', date: '2026-05-04' },
  ...but,
});
const bought = (but: Partial<Package> = {}): Partial<Package> => ({
  ...{ id: 'ten', client_id: 'ada', service_id: 'therapy', status: 'active', sessions: 10 },
  ...{ used_by: [], expires_on: null, created_at: '2026-01-01T00:00:00+00:00' },
  ...but,
});
const used = (package_: string, ...by: string[]) =>
  ({ id: package_, command: { kind: 'change', changes: { used_by: by } } }) as const;
const completed = { id, before: visit('confirmed'), after: visit('completed') };

describe('a completed appointment', () => {
  it('uses a session of the oldest package', () => {
    on(completed)
      .among(bought({ id: 'new', created_at: '2026-02-01T00:00:00+00:00' }), bought())
      .expect(used('ten', id));
  });

  it.each<[string, Partial<Package>]>([
    ['of another service', { service_id: 'couples' }],
    ['that is not paid for by a finalized invoice', { status: 'pending' }],
    ['of a void invoice', { status: 'void' }],
    ['that has expired', { expires_on: '2026-05-03' }],
    ['without a session left', { sessions: 1, used_by: ['other'] }],
  ])('does not use a package %s', (_, but) => {
    on(completed).among(bought(but)).expectNothing();
  });

  it('uses only one session', () => {
    on(completed)
      .among(bought({ used_by: [id] }), bought({ id: 'second' }))
      .expectNothing();
  });

  it('uses no session if an invoice has its service, which is not void and no fee', () => {
    const line = { appointment_id: id, service_id: 'therapy', invoice_id: 'invoice', voided: false };
    const billed = (but: Partial<typeof line>) =>
      on(completed)
        .among(bought())
        .reading(invoiceItems, { ...line, ...but });
    billed({}).expectNothing();
    for (const but of [{ voided: true }, { invoice_id: id }, { service_id: 'travel' }])
      billed(but).expect(used('ten', id));
  });

  it('gives the session back when its completion is undone or it is deleted', () => {
    const own = bought({ used_by: ['other', id] });
    on({ id, before: visit('completed'), after: visit('confirmed') })
      .among(own)
      .expect(used('ten', 'other'));
    on({ id, before: visit('completed'), after: null })
      .among(own)
      .expect(used('ten', 'other'));
  });

  it('moves to the package of its new service', () => {
    on({ id, before: visit('completed'), after: visit('completed', { service_id: 'couples' }) })
      .among(bought({ used_by: [id] }), bought({ id: 'pair', service_id: 'couples' }))
      .expect(used('ten'), used('pair', id));
  });
});

it('a package whose void invoice is restored gives back the sessions that were billed in the meantime', () => {
  const [kept, billed] = ['018f0000-0000-7000-8000-00000000000a', '018f0000-0000-7000-8000-00000000000b'];
  const [client_id, service_id, invoice_id] = ['c1', 'e1', 'a1'].map(
    (end) => `018f0000-0000-7000-8000-0000000000${end}`,
  ) as [string, string, string];
  const sold = { ...{ client_id, service_id, invoice_id }, sessions: 10, used: 2, used_by: [kept, billed] };
  specOf(sessionPackage)({ type: 'PackageSold', data: recordsOf(packages, sold)({ status: 'void' }) })
    .among(invoiceItems, { appointment_id: billed, service_id, invoice_id: 'later', voided: false })
    .when({ kind: 'change', changes: { status: 'active' } })
    .then(
      { type: 'PackageStatusChanged', data: { status: 'active' } },
      { type: 'PackageSessionReturned', data: { used: 1, used_by: [kept] } },
    );
});

it('the policy ignores appointments without a client or a service, and other changes', () => {
  const { concerns } = usePackageWhenAppointmentCompletes;
  const none = [
    { id, before: null, after: visit('completed', { client_id: null }) },
    { id, before: visit('scheduled'), after: visit('cancelled') },
    { id, before: visit('completed'), after: visit('completed', { date: '2026-05-05' }) },
  ];
  expect(none.map((change) => concerns(change))).toEqual([null, null, null]);
});
