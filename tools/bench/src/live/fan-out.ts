// Measures how many events per second reach streams of the feed: practices book in bulk, and each has many readers.

import { until } from '@practice/operator';
import { booking, FREE_BEGINS } from '../calendar.js';
import { addAppointments, type Api, type Practice } from '../seed/seed.js';
import type { Crowd } from './crowd.js';

export interface FanOutInput {
  readonly api: Api;
  /** No other caller books in these practices. */
  readonly practices: readonly Practice[];
  /** The readers: the same number for each practice. */
  readonly readers: Crowd;
  readonly readersOfPractice: number;
  readonly bookingsOfPractice: number;
}

const WITHIN_MS = 120_000;

/**
 * @param round from 0: no appointment is booked twice
 * @returns delivered events per second, from the first write until the last event has arrived
 * @throws {Error} when events do not arrive
 */
export async function eventsPerSecond(input: FanOutInput, round: number): Promise<number> {
  const { api, practices, readers, readersOfPractice, bookingsOfPractice } = input;
  const { events: before } = await readers.received();
  const expected = before + practices.length * readersOfPractice * bookingsOfPractice;
  const bookings = Array.from({ length: bookingsOfPractice }, (_, index) =>
    booking(FREE_BEGINS.flood, round * bookingsOfPractice + index, 'scheduled'),
  );
  const began = Date.now();
  await Promise.all(practices.map(({ token }) => addAppointments(api, token, bookings)));
  const arrived = async () => {
    const received = await readers.received();
    return received.events >= expected && received;
  };
  const received = await until(arrived, { within: WITHIN_MS });
  if (received === undefined) throw new Error('events did not reach the readers');
  return (received.events - before) / ((received.lastAt - began) / 1000);
}
