// JSON as the service writes it, with @words for what each transaction puts in.

/** An appointment; `version` makes it a row of the table, with its JSON beside it. */
export function appointmentJson(day: string, hour: string, version?: string): string {
  const row = {
    id: '@id',
    therapist_id: '018f0000-0000-7000-8000-00000000000a',
    date: day,
    start_time: `${hour}:00`,
    end_time: `${hour}:50`,
    status: 'confirmed',
    client_id: null,
    client_name: 'Client 1',
    service_id: null,
    notes: 'Comes by tram; prefers the second chair by the window.',
    allow_overlap: false,
    seat: 0,
    created_at: '2027-01-01T00:00:00.000000+00:00',
    updated_at: '2027-01-01T00:00:00.000000+00:00',
  };
  return version === undefined
    ? JSON.stringify(row)
    : JSON.stringify([{ ...row, version, _json: JSON.stringify(row) }]);
}

/** A list of one event, ready to be appended. */
export function eventJson(type: string, data: string): string {
  const metadata = {
    eventId: '018f0000-0000-7000-8000-00000000000a',
    actor: '018f0000-0000-7000-8000-00000000000a',
    requestId: '018f0000-0000-7000-8000-00000000000a',
    correlationId: '018f0000-0000-7000-8000-00000000000a',
  };
  return JSON.stringify([
    {
      position: '@position',
      aggregate: 'appointment',
      stream_id: '@id',
      version: '@version',
      type,
      schema_version: 1,
      data: JSON.parse(data) as unknown,
      metadata,
      recorded_at: '2027-01-01T00:00:00.000000+00:00',
      ...lifecycleOf(type),
    },
  ]);
}

/** As the service sends it with a creation: the log then checks that the stream is not a living one. */
export const lifecycleOf = (type: string): object =>
  type === 'AppointmentScheduled' ? { begins: true, endings: ['AppointmentDeleted'] } : {};
