// All records of the demo practice, resource by resource, in the order in which they refer to each other.
import { Faker, base, en } from '@faker-js/faker';
import { clientsOn } from './clients.js';
import { diagnosesOf, measuresUntil } from './clinical.js';
import { conversationsUntil } from './conversations.js';
import { expensesUntil } from './expenses.js';
import { notesOf } from './notes.js';
import { group, openSpans, servicesOffered } from './practice.js';
import { seriesFrom } from './series.js';
import { yearRound } from './year.js';

/** Rows for one resource. Every row has its id, so that the same practice is never made twice. */
export interface SeedTable {
  readonly resource: string;
  readonly rows: readonly { readonly id: string }[];
}

const SEED = 20_260_101;

/**
 * The whole practice around `today` (YYYY-MM-DD): the same day gives the same records.
 * @param practitioners ids of the members who see clients
 */
export function contentOn(
  today: string,
  practitioners: Readonly<Record<'owner' | 'therapist', string | null>> = { owner: null, therapist: null },
): SeedTable[] {
  const faker = new Faker({ locale: [en, base], seed: SEED });
  const services = servicesOffered(faker);
  const clients = clientsOn(today, faker);
  const year = yearRound(today, { services, clients, faker });
  const seenBy = new Map(clients.map(({ id, sees }) => [id, practitioners[sees]]));
  const practitionerOf = (client: string): string | null => seenBy.get(client) ?? null;
  const rows = {
    service_menu: services,
    business_hours: openSpans.map(({ weekday: _, ...span }) => ({ id: faker.string.uuid(), ...span })),
    clients: clients.map(({ isCouple: _, joined: __, left: ___, sees: ____, ...row }) => row),
    appointments: year.map(({ service, ...row }) => ({
      ...row,
      service_id: service.id,
      // A group has no practitioner of its own.
      practitioner_id: service.name === group ? null : practitionerOf(row.client_id),
    })),
    sessions: notesOf(year, faker).map((note) => ({
      ...note,
      author_id: practitionerOf(note.client_id),
      // The therapist is supervised.
      needs_cosign_by: practitionerOf(note.client_id) === practitioners.owner ? null : practitioners.owner,
    })),
    expenses: expensesUntil(today, faker),
    conversation_log: conversationsUntil(today, clients, faker),
    diagnoses: diagnosesOf(clients, faker),
    measures: measuresUntil(today, clients, faker),
    appointment_series: seriesFrom(today, { services, clients, faker }).map((row) => ({
      ...row,
      practitioner_id: practitionerOf(row.client_id),
    })),
  };
  return Object.entries(rows).map(([resource, all]) => ({ resource, rows: all }));
}
