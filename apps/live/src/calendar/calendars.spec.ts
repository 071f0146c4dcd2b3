// When a text is made, and for which reads. The answers of the source wait, so the spec controls the order.

import { describe, expect, it } from '@jest/globals';
import { CALENDAR_PAGE_ROWS, type CalendarRow, type KnownCalendarLink } from '@practice/contracts';
import { busy } from '@practice/core';
import { Calendars } from './calendars.js';

const link: KnownCalendarLink = {
  id: '4a0b9f6e-0000-4000-8000-000000000001',
  therapistId: '4a0b9f6e-0000-4000-8000-000000000002',
  userId: '4a0b9f6e-0000-4000-8000-000000000003',
  practiceRole: 'owner',
  full: true,
  practitionerId: null,
};

const row = (name: string): CalendarRow => ({
  id: '4a0b9f6e-0000-4000-8000-000000000004',
  ...{ date: '2026-07-06', version: 1, status: 'confirmed' },
  ...{ starts_at: '2026-07-06T07:00:00+00:00', ends_at: '2026-07-06T07:50:00+00:00' },
  ...{ client_id: '4a0b9f6e-0000-4000-8000-000000000005', client_name: name },
  ...{ created_at: '2026-05-01T08:00:00+00:00', updated_at: '2026-05-01T08:00:00+00:00' },
});

/** A source of appointments whose pages can be held back. */
class Source {
  readonly requestId = 'r';
  readonly zone = 'UTC';
  pages: (readonly CalendarRow[])[] = [[row('First')]];
  asked = 0;
  private readonly waiting: (() => void)[] = [];
  private isOpen = true;

  constructor(private readonly problem?: Error) {}

  /** From now on, pages wait. */
  hold(): void {
    this.isOpen = false;
  }

  letGo(): void {
    this.isOpen = true;
    for (const one of this.waiting.splice(0)) one();
  }

  state = async () => ({ version: JSON.stringify(this.pages[0]?.[0]), zone: this.zone });

  page = async (): Promise<CalendarRow[]> => {
    const rows = this.pages[this.asked++] ?? this.pages[0] ?? [];
    if (!this.isOpen) await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.problem !== undefined) throw this.problem;
    return [...rows];
  };
}

const silent = { info: () => undefined } as never;

async function read(calendars: Calendars, source: Source): Promise<string> {
  const { bytes } = await calendars.text(link, await calendars.version(link, source), source);
  return bytes.toString();
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the texts of calendars', () => {
  it('are shared by waiting reads, but not with a read after a change', async () => {
    const [calendars, source] = [new Calendars(silent), new Source()];
    source.hold();
    const early = [read(calendars, source), read(calendars, source)];
    await settled();
    source.pages = [[row('Second')]];
    const late = [read(calendars, source), read(calendars, source), read(calendars, source)];
    await settled();
    expect(source.asked).toBe(1);
    source.letGo();
    for (const text of await Promise.all(early)) expect(text).toMatch(/SUMMARY:(First|Second)/);
    for (const text of await Promise.all(late)) expect(text).toContain('SUMMARY:Second');
    expect(source.asked).toBe(2);
    expect(await read(calendars, source)).toContain('SUMMARY:Second');
    expect(source.asked).toBe(2);
  });

  it('have a queue of 64 reads for each practice, and refuse the next one', async () => {
    const [calendars, source] = [new Calendars(silent), new Source()];
    source.hold();
    const waiting = Array.from({ length: 64 }, () => read(calendars, source));
    await settled();
    await expect(read(calendars, source)).rejects.toMatchObject({ problem: busy });
    source.letGo();
    expect(new Set(await Promise.all(waiting)).size).toBe(1);
    await read(calendars, source);
    expect(source.asked).toBe(1);
  });

  it('are made again by the next read after a failure', async () => {
    const calendars = new Calendars(silent);
    const failing = new Source(new Error('broken'));
    const reads = [read(calendars, failing), read(calendars, failing)];
    for (const { status } of await Promise.allSettled(reads)) expect(status).toBe('rejected');
    expect(await read(calendars, new Source())).toContain('SUMMARY:First');
  });

  it('end after four megabytes, with the page that exceeds them', async () => {
    const [calendars, source] = [new Calendars(silent), new Source()];
    source.pages = [Array.from({ length: CALENDAR_PAGE_ROWS }, () => row('🦄'.repeat(320)))];
    const text = await read(calendars, source);
    expect(text.length).toBeGreaterThan(2_000_000);
    expect(Buffer.byteLength(text)).toBeLessThan(6 * 1024 * 1024);
    expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
  });
});
