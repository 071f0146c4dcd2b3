// A few records with every relation between them.

interface Made {
  readonly id: string;
}

/**
 * Adds three clients, the first with two visits and two notes, the second with one visit; and a visit without a client.
 * @returns the first client
 */
export async function addCalendar<M extends Made>(
  make: (resource: string, record: object) => Promise<M>,
): Promise<M> {
  const ada = await make('clients', { name: 'Ada Lovelace', email: 'ada@example.com' });
  const bo = await make('clients', { name: 'Bo', status: 'inactive' });
  await make('clients', { name: 'Cy' });
  const massage = await make('service_menu', { name: 'Massage', duration: 60, price: 120 });
  const visits = [
    { date: '2026-05-01', client_id: ada.id, service_id: massage.id },
    { date: '2026-05-02', client_id: ada.id, notes: 'a, "b"' },
    { date: '2026-05-03', client_id: bo.id, service_id: massage.id },
    { date: '2026-05-04' },
  ];
  const made: M[] = [];
  for (const visit of visits)
    made.push(await make('appointments', { start_time: '09:00', end_time: '10:00', ...visit }));
  await make('sessions', { client_id: ada.id, appointment_id: made[0]?.id, plan: 'rest' });
  await make('sessions', { client_id: ada.id, plan: 'more' });
  await make('conversation_log', { client_id: ada.id, content: 'hello' });
  return ada;
}
