import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { calendarTools } from './calendar-tools.js';
import type { InnerCalls } from './inner-calls.js';
import type { Json, ReadTool } from './tool.js';

const MONDAY = '2031-03-03';
const day = calendarTools.find(({ name }) => name === 'day') as ReadTool;

const span = (open_time: string, close_time: string) => ({ day_of_week: 'monday', open_time, close_time });
const visit = (start_time: string, end_time: string) => ({
  ...{ date: MONDAY, start_time, end_time, status: 'scheduled' },
});
const gap = (start_time: string, end_time: string) => ({ date: MONDAY, start_time, end_time });

async function gapsOf(booked: readonly Json[], hours: readonly Json[]): Promise<unknown> {
  const calls = {
    identity: { practiceRole: 'owner' },
    read: async (path: string) => (path.startsWith('appointments?') ? booked : hours),
  } as unknown as InnerCalls;
  return (await day.run({ from: MONDAY }, calls)).data['gaps'];
}

describe('the gaps of a day', () => {
  const hours = [span('09:00', '12:00'), span('14:00', '18:00')];

  it('are the times between the appointments', async () => {
    const booked = [visit('08:00', '09:30'), visit('10:00', '11:00'), visit('10:30', '11:30')];
    expect(await gapsOf(booked, [span('09:00', '12:00')])).toEqual([
      gap('09:30', '10:00'),
      gap('11:30', '12:00'),
    ]);
  });

  it('of the morning stay when the afternoon is booked', async () => {
    expect(await gapsOf([visit('10:00', '11:00'), visit('15:00', '16:00')], hours)).toEqual([
      ...[gap('09:00', '10:00'), gap('11:00', '12:00')],
      ...[gap('14:00', '15:00'), gap('16:00', '18:00')],
    ]);
    expect(await gapsOf([visit('19:00', '20:00')], hours)).toEqual([
      gap('09:00', '12:00'),
      gap('14:00', '18:00'),
    ]);
  });

  it('are refused if not all appointments are read', async () => {
    const booked = Array.from({ length: 501 }, () => visit('10:00', '11:00'));
    await expect(gapsOf(booked, hours)).rejects.toThrow(Rejection);
    expect(await gapsOf(booked.slice(1), hours)).toHaveLength(3);
  });
});
