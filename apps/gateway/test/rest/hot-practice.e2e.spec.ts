// Many requests of one practice at the same moment: each gets a response.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { answered, newPractice, rowsOf, type Answer } from '@practice/testing';

/** A slot of half an hour. There are 40 different slots, which repeat. */
const slot = (index: number): { date: string; start_time: string; end_time: string } => {
  const day = 1 + Math.floor((index % 40) / 10);
  const hour = 8 + (index % 10);
  return { date: `2030-01-0${day}`, start_time: `${hour}:00`, end_time: `${hour}:30` };
};

describe('400 bookings of one practice at the same moment', () => {
  it('are all answered, and each slot is booked once', async () => {
    const practice = await newPractice();
    const book = (index: number): Promise<Answer> => {
      const body = { ...slot(index), client_name: `Client ${index}` };
      const headers = { 'idempotency-key': randomUUID() };
      return answered('a booking', () => practice.rest('appointments', { method: 'POST', body, headers }));
    };
    const answers = await Promise.all(Array.from({ length: 400 }, (_, index) => book(index)));
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).toEqual([40, 360]);
    expect(await rowsOf(practice, 'appointments?select=count')).toEqual([{ count: 40 }]);
  });
});
