// Who comes to the demo practice. Every name is invented; addresses and numbers are of the ranges kept for that.
import { dayAfter, momentOf } from './day.js';
import { idOf } from './identity.js';
import type { Concern } from './note-words.js';

export interface SeedClient {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string;
  readonly status: 'active' | 'inactive' | 'archived';
  readonly created_at: string;
  /** The reason for coming. */
  readonly concern: Concern;
  /** First day on which they come. */
  readonly joined: string;
  /** Last day of a former client; null for a current one. */
  readonly left: string | null;
}

const names: readonly (readonly [concern: Concern, ...names: readonly string[]])[] = [
  ['anxiety', 'Amara Okafor', 'Ben Whitfield', 'Claire Dubois', 'Farid Haddad', 'Hana Kobayashi'],
  ['anxiety', 'Julia Kowalska', 'Noah Bergström', 'Priya Nair', 'Tomás Ortega'],
  ['low mood', 'Ana Sofía Reyes', 'Daniel Novak', 'Emma Thompson', 'Ingrid Solberg', 'Liam O’Connor'],
  ['low mood', 'Maja Horvat', 'Samuel Grant', 'Yusuf Demir'],
  ['sleep', 'Anton Lindqvist', 'Chen Wei', 'Ivan Petrov', 'Olga Ivanova', 'Rafael Costa'],
  ['grief', 'Beatrice Moore', 'George Baptiste', 'Lucía Herrera', 'Miriam Goldberg', 'Ruth Adeyemi'],
  ['work stress', 'Carla Ferrari', 'Deepa Raman', 'Jonas Weber', 'Kwame Mensah', 'Sofie Jensen'],
  ['work stress', 'Thomas Müller', 'Wanjiru Kamau'],
  ['couple', 'Elif Yılmaz', 'Freya Nielsen', 'Laura Bianchi', 'Leila Nazari', 'Mateo Silva', 'Naomi Clarke'],
];

/** Who no longer comes. */
const leavers: ReadonlyMap<string, { readonly status: 'inactive' | 'archived'; readonly ago: number }> =
  new Map([
    ['Ben Whitfield', { status: 'inactive', ago: 24 }],
    ['Emma Thompson', { status: 'inactive', ago: 61 }],
    ['Ivan Petrov', { status: 'inactive', ago: 95 }],
    ['Beatrice Moore', { status: 'archived', ago: 118 }],
    ['Thomas Müller', { status: 'archived', ago: 150 }],
  ]);

/** Every third client came within the last half year, one after the other; the others long before. */
const joinedAgo = (index: number): number => (index % 3 === 1 ? 10 + index * 4 : 220 + index * 17);

/** The clients of the practice as they are on `today` (YYYY-MM-DD). */
export function clientsOn(today: string): SeedClient[] {
  return names
    .flatMap(([concern, ...people]) => people.map((name) => ({ name, concern })))
    .map(({ name, concern }, index) => {
      const leaver = leavers.get(name);
      const joined = dayAfter(today, -(leaver === undefined ? joinedAgo(index) : 400 + index));
      return {
        id: idOf('client', name),
        name,
        // Some only ever telephone.
        email: index % 9 === 7 ? null : `${addressOf(name)}@example.com`,
        phone: `020 7946 0${String(100 + index * 7)}`,
        status: leaver?.status ?? 'active',
        created_at: momentOf(dayAfter(joined, -3), '11:30'),
        concern,
        joined,
        left: leaver === undefined ? null : dayAfter(today, -leaver.ago),
      };
    });
}

/** Whether a client comes at that time of its life. */
export const comesOn = ({ joined, left }: SeedClient, date: string): boolean =>
  joined <= date && (left === null || date <= left);

const addressOf = (name: string): string =>
  name
    .replace('ı', 'i')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '.');
