import { describe, expect, it } from '@jest/globals';
import { column, resource } from '@practice/resource';
import { currentEvent, eventTypes, type PracticeEvents } from './events.js';

type Data<Type extends keyof PracticeEvents> = PracticeEvents[Type];

const ofType = (wanted: string) => eventTypes.find(({ type }) => type === wanted);

/** This function is compiled but never run. It shows what the types allow. */
export function typed(
  written: Data<'SessionNoteWritten'>,
  scheduled: Data<'AppointmentScheduled'>,
  completed: Data<'AppointmentCompleted'>,
): readonly unknown[] {
  const status: 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show' = scheduled.status;
  const maybe: string | undefined = completed.status;
  const client: string | null = scheduled.client_id;
  const email: string = ({} as Data<'PracticeOpened'>).email;
  const nothing: Data<'ClientDeleted'> = {};
  const recorded: string = ({} as Data<'ExpenseRecorded'>).amount;
  return [
    status,
    maybe,
    client,
    email,
    nothing,
    recorded,
    written.appointment_id,
    // @ts-expect-error -- the texts of a note never leave their service
    written.subjective,
    // @ts-expect-error -- internal columns never leave their service
    scheduled.seat,
    // @ts-expect-error -- a change has only its own columns
    completed.client_id,
    // @ts-expect-error -- a deletion has no data
    ({} as Data<'ClientDeleted'>).name,
    // @ts-expect-error -- no aggregate has this event type
    ({} as PracticeEvents)['AppointmentUpdated'],
  ];
}

describe('the event types', () => {
  it('are unique, and their aggregates each belong to one service', () => {
    const types = eventTypes.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    for (const { aggregate, service } of eventTypes) {
      expect(
        eventTypes.filter((other) => other.aggregate === aggregate && other.service !== service),
      ).toEqual([]);
    }
  });

  it('have on the bus only the columns that may leave the service', () => {
    expect(ofType('SessionNoteAmended')?.data).toMatchObject({
      properties: {
        client_id: { type: 'string', format: 'uuid' },
        appointment_id: { type: ['string', 'null'] },
      },
      additionalProperties: false,
    });
    const written = ofType('SessionNoteWritten')?.data as { properties: object; required: string[] };
    expect(Object.keys(written.properties)).toEqual([
      ...['id', 'therapist_id', 'client_id', 'appointment_id', 'format', 'template_id', 'author_id'],
      ...['needs_cosign_by', 'status', 'signed_at', 'signed_by_name', 'signed_meaning'],
      ...['cosigned_at', 'cosigned_by_name', 'voided_at', 'created_at', 'updated_at'],
    ]);
    expect(written.required).toEqual(Object.keys(written.properties));
    expect(ofType('ClientDeleted')?.data).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  it('have values in the form of the log, with exact decimals as text', () => {
    expect(ofType('ExpenseRecorded')?.data).toMatchObject({
      properties: { amount: { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' } },
    });
  });
});

describe('an event from the bus', () => {
  const lamp = resource({
    name: 'lamps',
    service: 'houses',
    aggregate: 'lamp',
    description: '',
    isUndoable: false,
    columns: { watts: column.integer({}), fuse: column.integer({ internal: true }) },
    events: {
      LampChanged: {
        shape: ['watts', 'fuse'],
        version: 2,
        upcast: { 1: ({ power }: { power?: number }) => ({ watts: power, fuse: 7 }) },
      },
    },
  });
  const changed = (schemaVersion: number, data: object) =>
    ({ service: 'houses', aggregate: 'lamp', type: 'LampChanged', schemaVersion, data }) as const;

  it('is read in the current version, without columns that never leave the service', () => {
    expect(currentEvent(changed(1, { power: 40 }), [lamp])).toEqual(changed(2, { watts: 40 }));
    expect(currentEvent(changed(2, { watts: 40 }), [lamp])).toEqual(changed(2, { watts: 40 }));
  });

  it('does not change if its version or its aggregate is unknown', () => {
    const later = changed(3, { lumen: 400 });
    expect(currentEvent(later, [lamp])).toBe(later);
    const foreign = changed(1, { power: 40 });
    expect(currentEvent(foreign, [])).toBe(foreign);
  });
});
