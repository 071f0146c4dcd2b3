import { freeSlots } from '@practice/contracts';
import { invalidArgument, processTime, reject, type Steps } from '@practice/core';
import { instant, type ArgumentsOf, type ResultOf } from '@practice/resource';
import { Handles, type FunctionCall, type FunctionHandler } from '@practice/write';
import { TenantDatabase } from '@practice/storage';
import { addDays, daysBetween, isWeekday, wallTimeAt } from '@practice/zone';
import { freeSlotsOf, type Wanted } from '../booking/free-slots.js';
import { practiceStatement, readPractice, type PracticeState } from './practice-state.js';

type Arguments = ArgumentsOf<typeof freeSlots>;
type Result = ResultOf<typeof freeSlots>;

const MAX_DAYS = 92;
const DEFAULT_DAYS = 14;

/** Reads the practice with one statement, and computes only the free slots that the response shows. */
@Handles(freeSlots)
export class FreeSlots implements FunctionHandler<typeof freeSlots> {
  constructor(private readonly database: TenantDatabase) {}

  async call(args: Arguments, { caller, deadline, gone, most = Infinity }: FunctionCall): Promise<Result> {
    checkArguments(args);
    const { therapistId, practiceRole: role } = caller;
    const now = Date.now();
    // The zone is not known yet. In any zone, today differs from the day in UTC by at most one day.
    const first = args.from ?? addDays(wallTimeAt(now, 'UTC').date, -1);
    const last = args.to ?? addDays(first, DEFAULT_DAYS + 2);
    const statement = practiceStatement(therapistId, { first, last, serviceId: args.service_id });
    const rows = await this.database.reads.run({ therapistId, role }, statement, { deadline });
    const state = readPractice(rows, now);
    return processTime.run({ therapistId, deadline, gone }, result(state, wantedBy(args, state), most));
  }
}

/** Weekdays are accepted in any case. */
const lowered = (weekday: string): string => weekday.trim().toLowerCase();

function* result(state: PracticeState, wanted: Wanted, most: number): Steps<Result> {
  const rows: Result[number][] = [];
  for (const { start, end, seatsLeft, ...slot } of yield* freeSlotsOf(state, wanted, most)) {
    rows.push({ ...slot, starts_at: instant(start), ends_at: instant(end), seats_left: seatsLeft });
    yield;
  }
  return rows;
}

function wantedBy(args: Arguments, { settings, service, now }: PracticeState): Wanted {
  if (args.service_id !== null && service === null)
    reject(invalidArgument('service_id', 'The service does not exist.'));
  const { duration, capacity } = service ?? { duration: 0, capacity: 1 };
  return {
    ...daysOf(args, wallTimeAt(now, settings.time_zone).date),
    duration: args.duration ?? duration,
    capacity,
    serviceId: args.service_id,
    practitionerId: args.practitioner_id,
    ...{ weekdays: args.weekdays?.map(lowered) ?? null, after: args.after, before: args.before },
  };
}

/** Past days have no free slots. */
function daysOf({ from, to }: Arguments, today: string): Pick<Wanted, 'from' | 'to'> {
  const first = from ?? today;
  return { from: first < today ? today : first, to: to ?? addDays(first, DEFAULT_DAYS) };
}

/** @throws {Rejection} 22023 for arguments that contradict each other */
function checkArguments({ service_id: service, duration, weekdays, ...days }: Arguments): void {
  if (service === null && duration === null)
    reject(invalidArgument('duration', 'Give service_id or duration.'));
  if (weekdays?.map(lowered).every(isWeekday) === false)
    reject(invalidArgument('weekdays', 'They are monday, tuesday, … sunday.'));
  checkDays(days);
}

function checkDays({ from, to }: Pick<Arguments, 'from' | 'to'>): void {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== null && (day < '1970-01-01' || day > '9000-01-01'))
      reject(invalidArgument(name, 'It must be from 1970-01-01 to 9000-01-01.'));
  if (to === null) return;
  const days = daysBetween(from ?? wallTimeAt(Date.now(), 'UTC').date, to);
  if (from !== null && days < 0) reject(invalidArgument('to', 'It must not be before from.'));
  if (days > MAX_DAYS) reject(invalidArgument('to', `It must be at most ${MAX_DAYS} days after from.`));
}
