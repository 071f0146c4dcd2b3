// A small practice with records of every resource: created, changed and deleted, with references between services. Only calls
// that every released version answers are made, so that any version can write it.

import { type ApiAccess, demand } from '@practice/start';

export const login = { email: 'released@example.com', password: 'correct horse battery staple' };

const id = (number: number): string => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [ada, bo, gone] = [id(1), id(2), id(3)];
const [massage, yoga] = [id(11), id(12)];
const [kept, moved, deleted, counted] = [id(21), id(22), id(23), id(24)];
const note = id(31);

type Call = readonly [method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown];

const at = (day: number, hour: number) => ({
  date: `2026-03-0${day}`,
  start_time: `${hour}:00`,
  end_time: `${hour}:50`,
});

const calls: readonly Call[] = [
  [
    'POST',
    'clients',
    [
      { id: ada, name: 'Ada', status: 'active' },
      { id: bo, name: 'Bo', status: 'inactive' },
    ],
  ],
  ['POST', 'clients', { id: gone, name: 'Cy' }],
  ['POST', 'service_menu', { id: massage, name: 'Massage', duration: 50, price: '80.50' }],
  ['POST', 'service_menu', { id: yoga, name: 'Yoga', duration: 60, price: 15, capacity: 8 }],
  ['PATCH', `service_menu?id=eq.${yoga}`, { price: 18 }],
  ['POST', 'business_hours', { day_of_week: 'monday', open_time: '08:00', close_time: '12:00' }],
  ['POST', 'business_hours', { day_of_week: 'monday', open_time: '13:00', close_time: '18:00' }],
  ['PATCH', 'business_hours?open_time=eq.13:00', { close_time: '19:00' }],
  ['DELETE', 'business_hours?open_time=eq.08:00'],
  [
    'POST',
    'appointments',
    { id: kept, ...at(2, 10), client_id: ada, service_id: massage, notes: 'Zoë "quoted" \\ 😀' },
  ],
  ['POST', 'appointments', { id: moved, ...at(2, 11), client_id: bo }],
  ['POST', 'appointments', { id: deleted, ...at(2, 12), client_id: ada }],
  ['POST', 'appointments', { id: counted, ...at(3, 10), client_id: ada, status: 'completed' }],
  ['PATCH', `appointments?id=eq.${moved}`, at(4, 15)],
  ['PATCH', `appointments?id=eq.${moved}`, { status: 'confirmed' }],
  ['PATCH', `appointments?id=eq.${moved}`, { status: 'cancelled', notes: null }],
  ['DELETE', `appointments?id=eq.${deleted}`],
  [
    'POST',
    'sessions',
    { id: note, client_id: ada, appointment_id: counted, subjective: 'slept well', plan: 'rest' },
  ],
  ['PATCH', `sessions?id=eq.${note}`, { plan: 'exercise' }],
  ['POST', 'conversation_log', { client_id: ada, content: 'hello', metadata: { a: [1, null], b: 'x' } }],
  ['POST', 'expenses', { date: '2026-03-05', amount: '-2.50', vendor: 'Paper & Co' }],
  ['POST', 'expenses', { date: '2026-03-06', amount: 1234567.89, category: 'rent' }],
  ['PATCH', 'expenses?vendor=eq.Paper%20%26%20Co', { amount: 3 }],
  ['DELETE', 'expenses?category=eq.rent'],
  ['PATCH', `clients?id=eq.${bo}`, { name: 'Bob', status: 'active' }],
  ['DELETE', `clients?id=eq.${gone}`],
];

/** Signs the practice up and writes its records. @throws {Failure} with the answer to a call that was refused */
export async function writeSpread(access: ApiAccess): Promise<void> {
  const session = await demand(access, '/auth/v1/signup', login);
  const { access_token: token } = session as { access_token: string };
  for (const [method, path, body] of calls)
    await demand({ ...access, token }, { method, path: `/rest/v1/${path}`, body });
}
