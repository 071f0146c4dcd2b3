// The demo practice: what it offers and when it is open.

export interface ServiceOffered {
  readonly name: string;
  /** Minutes. */
  readonly duration: number;
  readonly price: number;
  readonly capacity: number;
  /** How often it is booked, beside the others. */
  readonly weight: number;
}

export interface OpenSpan {
  readonly day_of_week: (typeof weekdays)[number];
  readonly open_time: string;
  readonly close_time: string;
}

/** By the number that `Date.getUTCDay` gives. */
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/** The service for a new client. */
export const firstSession: ServiceOffered = {
  name: 'Initial consultation',
  duration: 90,
  price: 150,
  capacity: 1,
  weight: 1,
};

export const group: ServiceOffered = {
  name: 'Relaxation group',
  duration: 60,
  price: 35,
  capacity: 8,
  weight: 0,
};

export const servicesOffered: readonly ServiceOffered[] = [
  firstSession,
  { name: 'Individual therapy', duration: 50, price: 110, capacity: 1, weight: 7 },
  { name: 'Couples therapy', duration: 80, price: 160, capacity: 1, weight: 2 },
  { name: 'Phone check-in', duration: 20, price: 40, capacity: 1, weight: 1 },
  group,
];

const mornings = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((day_of_week) => ({
  day_of_week,
  open_time: '09:00',
  close_time: '12:30',
}));

export const openSpans: readonly OpenSpan[] = [
  ...mornings,
  { day_of_week: 'monday', open_time: '13:30', close_time: '18:00' },
  { day_of_week: 'tuesday', open_time: '13:30', close_time: '18:00' },
  { day_of_week: 'wednesday', open_time: '13:30', close_time: '17:00' },
  // The group has the evening to itself.
  { day_of_week: 'wednesday', open_time: '17:30', close_time: '18:30' },
  { day_of_week: 'thursday', open_time: '14:00', close_time: '20:00' },
];
