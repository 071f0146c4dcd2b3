import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { make, makeAll, newPractice, ownStack } from '@practice/testing';
import type { Answer, Made, OwnStack, Practice } from '@practice/testing';
import fc from 'fast-check';
import pg from 'pg';

const PRACTICES = 25;
const PAIRS_PER_PRACTICE = 400;
const RACES_AT_A_TIME = 4;
/** Practices that race at the same time. With more, requests miss their deadline on a slow machine. */
const PRACTICES_AT_A_TIME = 5;

/** The races take all the time of their services, which would delay the requests of other specs. */
let own: OwnStack;
let admin: pg.Client;
let origin: string | undefined;

beforeAll(async () => {
  own = await ownStack();
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  const services = ['identity', 'clients', 'clinical-notes', 'finance', 'scheduling', 'scheduling'];
  const [gateway] = await Promise.all([
    own.start('gateway'),
    admin.connect(),
    ...services.map((service) => own.start(service)),
  ]);
  ({ origin } = gateway);
});

afterAll(async () => {
  await admin.end();
  await own.stop();
});

/** A practice with the races that are run in it. */
interface Scene {
  readonly practice: Practice;
  readonly races: readonly Race[];
  /** A client that is never deleted. */
  readonly regular: Made;
}

/** One request deletes some records while another one refers to each of them. */
interface Race {
  readonly kind: Kind;
  readonly clients: readonly Made[];
  readonly appointments: readonly Made[];
  /** The shift of the reference relative to the deletion, as a part of a deletion's duration. */
  readonly phase: number;
}

/** Appointments that may overlap, without a client. */
const free = { date: '2030-01-07', start_time: '09:00', end_time: '10:00', allow_overlap: true };

type Ids = Readonly<Record<'client' | 'appointment' | 'regular', string | undefined>>;

interface Kind {
  /** The records that each pair needs. */
  readonly needs: readonly ('client' | 'appointment')[];
  readonly deleted: 'client' | 'appointment';
  readonly path: string;
  readonly reference: (ids: Ids) => object;
}

const kinds: Record<string, Kind> = {
  'a client is booked': {
    needs: ['client'],
    deleted: 'client',
    path: 'appointments',
    reference: ({ client }) => ({ ...free, client_id: client }),
  },
  'an appointment is given to a client': {
    needs: ['client', 'appointment'],
    deleted: 'client',
    path: 'appointments',
    reference: ({ client, appointment }) => ({ ...free, id: appointment, client_id: client }),
  },
  'a note is written about a client': {
    needs: ['client'],
    deleted: 'client',
    path: 'sessions',
    reference: ({ client }) => ({ client_id: client, plan: 'rest' }),
  },
  'a note is written about an appointment': {
    needs: ['appointment'],
    deleted: 'appointment',
    path: 'sessions',
    reference: ({ regular, appointment }) => ({ client_id: regular, appointment_id: appointment }),
  },
};

const raceDraw = fc.record({
  kind: fc.constantFrom(...Object.values(kinds)),
  phase: fc.constantFrom(-0.5, -0.25, 0, 0, 0.25, 0.5),
  size: fc.constantFrom(1, 1, 1, 2, 5, 10, 20),
});

/** Draws races until they have `PAIRS_PER_PRACTICE` pairs. */
function drawRaces(seed: number): { kind: Kind; phase: number; size: number }[] {
  let left = PAIRS_PER_PRACTICE;
  return fc.sample(raceDraw, { numRuns: PAIRS_PER_PRACTICE, seed }).flatMap((drawn) => {
    const size = Math.min(drawn.size, left);
    left -= size;
    return size === 0 ? [] : [{ ...drawn, size }];
  });
}

async function sceneOf(seed: number): Promise<Scene> {
  const practice = await newPractice(origin);
  const drawn = drawRaces(seed);
  const many = async (need: 'client' | 'appointment', record: object): Promise<Made[]> => {
    const count = drawn.reduce((sum, { kind, size }) => sum + (kind.needs.includes(need) ? size : 0), 0);
    return makeAll(
      practice,
      `${need}s?select=id`,
      Array.from({ length: count }, () => record),
    );
  };
  const [clients, appointments] = [await many('client', { name: 'Ada' }), await many('appointment', free)];
  const races = drawn.map(({ kind, phase, size }) => ({
    kind,
    phase,
    clients: clients.splice(0, kind.needs.includes('client') ? size : 0),
    appointments: appointments.splice(0, kind.needs.includes('appointment') ? size : 0),
  }));
  return { practice, races, regular: await make(practice, 'clients', { name: 'Bo' }) };
}

interface Tally {
  deleted: number;
  referred: number;
  /** All other responses than 2xx, a conflict, and responses of a slow service (503, or PM504 for a write whose outcome is unknown). */
  wrong: string[];
}

/** How far the start of the next reference moves, as a part of a deletion's duration, towards the side that lost. */
const STEP = 0.1;

async function raceAll({ practice, races, regular }: Scene, tally: Tally): Promise<void> {
  const waiting = [...races];
  let deletionMs = 0;
  /** Milliseconds from the deletion to the reference. It follows the outcomes, so that both sides win on any machine. */
  let lead = 0;
  const remove = async (path: string): Promise<Answer> => {
    const began = performance.now();
    const answer = await practice.rest(path, { method: 'DELETE' });
    deletionMs = performance.now() - began;
    return answer;
  };
  const work = async (): Promise<void> => {
    for (let race = waiting.pop(); race !== undefined; race = waiting.pop()) {
      const { kind, phase } = race;
      const gone = race[`${kind.deleted}s`];
      const body = gone.map((_, index) =>
        kind.reference({
          client: race.clients[index]?.id,
          appointment: race.appointments[index]?.id,
          regular: regular.id,
        }),
      );
      const headers = { prefer: 'resolution=merge-duplicates' };
      const delay = lead + phase * deletionMs;
      const [deletion, reference] = await Promise.all([
        pause(Math.max(0, -delay)).then(() =>
          remove(`${kind.deleted}s?id=in.(${gone.map(({ id }) => id).join()})`),
        ),
        pause(Math.max(0, delay)).then(() => practice.rest(kind.path, { method: 'POST', headers, body })),
      ]);
      lead += (deletion.status === 204 ? -STEP : STEP) * deletionMs;
      if (deletion.status === 204) tally.deleted += gone.length;
      if (reference.status < 300) tally.referred += gone.length;
      for (const { status, text } of [deletion, reference])
        if (status >= 300 && status !== 409 && status !== 503 && !text.includes('"PM504"'))
          tally.wrong.push(`${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: RACES_AT_A_TIME }, work));
}

/** Records of these practices that refer to a record of another service that does not exist. */
async function dangling(practices: readonly string[]): Promise<object[]> {
  const references: [string, string, string][] = [
    ['scheduling.appointments', 'client_id', 'clients.clients'],
    ['clinical_notes.sessions', 'client_id', 'clients.clients'],
    ['clinical_notes.sessions', 'appointment_id', 'scheduling.appointments'],
  ];
  const found: object[] = [];
  for (const [from, column, to] of references) {
    const { rows } = await admin.query<object>(
      `select r.id, r.${column} as missing, '${from}' as from_table from ${from} r
       where r.therapist_id = any ($1) and r.${column} is not null
         and not exists (select from ${to} o where o.therapist_id = r.therapist_id and o.id = r.${column}) limit 5`,
      [practices],
    );
    found.push(...rows);
  }
  return found;
}

describe('10,000 deletions, each while another service is about to refer to the record', () => {
  it('leave no reference to a deleted record', async () => {
    const seeds = Array.from({ length: PRACTICES }, (_, index) => index + 1);
    const practices: string[] = [];
    const tally: Tally = { deleted: 0, referred: 0, wrong: [] };
    while (seeds.length > 0) {
      const scenes = await Promise.all(seeds.splice(0, PRACTICES_AT_A_TIME).map(sceneOf));
      await Promise.all(scenes.map((scene) => raceAll(scene, tally)));
      practices.push(...scenes.map(({ practice }) => practice.therapistId));
    }
    expect(tally.wrong).toEqual([]);
    expect(await dangling(practices)).toEqual([]);
    // Both outcomes must occur often. Otherwise few requests have raced.
    expect(Math.min(tally.deleted, tally.referred)).toBeGreaterThan(1000);
  });
});
