import { describe, expect, it } from '@jest/globals';
import type { Use } from '@practice/metrics';
import { quantile, samplesIn } from './samples.js';
import { frame } from './top-frame.js';
import type { Scrape } from './top-frame.js';

const HTTP = 'practice_http_request_duration_seconds';

/** The use of a process by practices. */
const used: Readonly<Record<string, readonly Use[]>> = {
  gateway: [{ therapistId: 'p1', requests: 9, ms: 700 }],
  clients: [
    { therapistId: 'p2', requests: 1, ms: 800 },
    { therapistId: 'p1', requests: 9, ms: 500 },
  ],
};

function scrape(at: number, texts: Readonly<Record<string, string | undefined>>): Scrape {
  return {
    at,
    processes: Object.entries(texts).map(([process, text]) => ({
      target: { process, service: process, address: '' },
      samples: text === undefined ? undefined : samplesIn(text),
      practices: text === undefined ? [] : (used[process] ?? []),
    })),
  };
}

const requests = (status: string, count: number): string =>
  [
    `${HTTP}_bucket{le="0.01",route="/rest/v1/*",resource="clients",status="${status}"} ${count / 2}`,
    `${HTTP}_bucket{le="0.1",route="/rest/v1/*",resource="clients",status="${status}"} ${count}`,
    `${HTTP}_bucket{le="+Inf",route="/rest/v1/*",resource="clients",status="${status}"} ${count}`,
    `${HTTP}_count{route="/rest/v1/*",resource="clients",status="${status}"} ${count}`,
  ].join('\n');

describe('a quantile', () => {
  const buckets = [
    { le: Infinity, count: 100 },
    { le: 0.01, count: 50 },
    { le: 0.1, count: 90 },
  ];

  it('is interpolated within its bucket', () => {
    expect(quantile(0.5, buckets)).toBeCloseTo(0.01);
    expect(quantile(0.7, buckets)).toBeCloseTo(0.055);
  });

  it('is the last bound for values beyond it', () => {
    expect(quantile(0.99, buckets)).toBe(0.1);
  });

  it('does not exist without values', () => {
    expect(quantile(0.5, [])).toBeUndefined();
    expect(quantile(0.5, [{ le: Infinity, count: 0 }])).toBeUndefined();
  });
});

describe('a picture of `npm run top`', () => {
  const before = scrape(0, {
    gateway: `${requests('200', 100)}\nprocess_cpu_seconds_total 5`,
    clients: 'practice_outbox_events 0\npractice_outbox_oldest_seconds 0',
    finance: 'process_cpu_seconds_total 5',
  });
  const after = scrape(2000, {
    gateway: `${requests('200', 120)}\n${requests('503', 4)}\nprocess_cpu_seconds_total 6\nprocess_resident_memory_bytes 120000000`,
    clients:
      'practice_outbox_events 7\npractice_outbox_oldest_seconds 3.5\npractice_subscription_pending_events{subscription="clients-mirror-scheduling"} 2\npractice_subscription_lag_seconds{subscription="clients-mirror-scheduling"} 15',
    finance: undefined,
  });
  const lines = frame(before, after);
  const line = (start: string): string[] => lines.find((one) => one.startsWith(start))?.split(/\s{2,}/) ?? [];

  it('has the calls of the time between two scrapes, with failures', () => {
    expect(lines[0]).toMatch(/^12\.0 requests\/s {3}median 10\.0 ms {3}99 % 98\.2 ms/);
    expect(line('clients ')).toEqual(['clients', '12.0', '10.0 ms', '98.2 ms', '0.0', '2.0']);
  });

  it('has the processes; one that does not answer is down', () => {
    expect(line('gateway')).toEqual(['gateway', '50 %', '120 MB', '0 %', '12.0', '0']);
    expect(line('finance')).toEqual(['finance', 'down']);
  });

  it('has the busiest practices, by their time in services', () => {
    const head = lines.findIndex((one) => one.startsWith('busiest practices'));
    expect(lines.slice(head + 1, head + 3).map((one) => one.split(/\s{2,}/))).toEqual([
      ['p2', '0', '0.8 s'],
      ['p1', '9', '0.5 s'],
    ]);
  });

  it('has the outboxes and the lag of subscriptions', () => {
    expect(line('outbox of clients')).toEqual(['outbox of clients', '7', '3.5 s']);
    expect(line('clients-mirror-scheduling')).toEqual(['clients-mirror-scheduling', '2', '15.0 s']);
  });

  it('counts from 0 for a process that was started again', () => {
    expect(frame(after, before)[0]).toMatch(/^0\.0 requests/);
  });
});
