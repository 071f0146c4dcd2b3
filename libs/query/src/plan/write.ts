import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import { negotiated } from '../parse/media.js';
import type { Media } from '../parse/media.js';
import type { Preferences } from '../parse/preferences.js';
import type { ParsedRequest } from '../parse/request.js';
import { appliedPreferences } from './applied.js';
import { resourceOf } from './context.js';
import type { PlanContext } from './context.js';
import { ownOf, planEmbeds, planWhere } from './level.js';
import { planOrder } from './order.js';
import type { PlannedCondition, PlannedOrder, PlannedSelect } from './planned.js';
import { checkPractice } from './practice.js';
import { notImplemented } from './problems.js';
import { planChanges, planRecords } from './records.js';
import { planSelect } from './select.js';
import { checkStrictness } from './strictness.js';

/** What is answered of the written records. */
export interface Returning {
  readonly select: PlannedSelect;
  /** As the caller asked; empty leaves the order to the ids that were written. */
  readonly order: readonly PlannedOrder[];
}

/** What every write has, whatever its method. */
export interface WriteTerms {
  readonly resource: Resource;
  readonly therapistId: string;
  /** Null: the caller wants no records back. */
  readonly returning: Returning | null;
  readonly media: Media;
  /** Exactly one row must be affected. */
  readonly isSingular: boolean;
  /** Bounds on the rows affected, where the caller set them. */
  readonly maxAffected: number | null;
  readonly minAffected: number | null;
  /** A dry run: do everything, answer as if, keep nothing. */
  readonly isDryRun: boolean;
  readonly isCounted: boolean;
  /** The value of Preference-Applied. */
  readonly applied: string | null;
}

export interface InsertPlan extends WriteTerms {
  readonly kind: 'insert';
  /** Visible column → JSON value as the body had it; a column left out takes its default. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

export interface UpdatePlan extends WriteTerms {
  readonly kind: 'update';
  /** Visible column → JSON value; none at all means that nothing is to be done. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly where: readonly PlannedCondition[];
}

export interface DeletePlan extends WriteTerms {
  readonly kind: 'delete';
  readonly where: readonly PlannedCondition[];
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;

/**
 * Plans a POST, PATCH or DELETE.
 * @throws {Rejection} PGRST205, PGRST117, PGRST200, PGRST108, PGRST204, 42501, 42703, 42883, 42804, 42704, PGRST122, PGRST107, 21000
 */
export function planWrite(parsed: ParsedRequest, context: PlanContext): WritePlan {
  const resource = resourceOf(context, parsed.resource);
  checkMethod(resource, parsed.method);
  if (parsed.method === 'POST') return planInsert(resource, parsed, context);
  if (parsed.method === 'PUT') return reject(notImplemented('PUT is not implemented.'));
  return planFiltered(resource, parsed, context);
}

function checkMethod({ appendOnly, name }: Resource, method: string): void {
  if (appendOnly !== true || method === 'POST') return;
  reject({
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    details: `Records of ${name} are written once.`,
    headers: { Allow: 'OPTIONS,GET,HEAD,POST' },
  });
}

function planInsert(resource: Resource, parsed: ParsedRequest, context: PlanContext): InsertPlan {
  // The filters of an insert mean nothing, but even there none may name another practice.
  checkPractice(parsed.wishes.conditions, context.therapistId, resource.name);
  const returning = planReturning(resource, parsed, context);
  const records = planRecords(resource, parsed);
  if (parsed.preferences.resolution !== null) reject(notImplemented('Upserts are not implemented.'));
  return { kind: 'insert', records, returning, ...planTerms(resource, parsed, context) };
}

function planFiltered(
  resource: Resource,
  parsed: ParsedRequest,
  context: PlanContext,
): UpdatePlan | DeletePlan {
  const { wishes, method } = parsed;
  checkPractice(wishes.conditions, context.therapistId, resource.name);
  const returning = planReturning(resource, parsed, context);
  const where = planWhere({ resource, embeds: [] }, wishes, context);
  const changes = method === 'PATCH' ? planChanges(resource, parsed) : null;
  const terms = planTerms(resource, parsed, context);
  if (ownOf(wishes.conditions) === undefined) reject(unfiltered(changes === null ? 'DELETE' : 'UPDATE'));
  return changes === null
    ? { kind: 'delete', where, returning, ...terms }
    : { kind: 'update', changes, where, returning, ...terms };
}

function planReturning(
  resource: Resource,
  { preferences, wishes }: ParsedRequest,
  context: PlanContext,
): Returning | null {
  if (preferences.return !== 'representation') return null;
  const embeds = planEmbeds(resource, wishes, context);
  const select = planSelect(resource, wishes.select, embeds);
  const names = { resource, embeds: [...embeds.values()] };
  return { select, order: planOrder(names, ownOf(wishes.orders) ?? [], select) };
}

type Terms = Omit<WriteTerms, 'returning'>;

function planTerms(
  resource: Resource,
  { method, preferences, accept }: ParsedRequest,
  context: PlanContext,
): Terms {
  checkStrictness(preferences);
  const media = negotiated(accept);
  const isStrict = preferences.handling === 'strict' && method !== 'POST';
  return {
    resource,
    therapistId: context.therapistId,
    media,
    isSingular: media.shape === 'object',
    maxAffected: isStrict ? preferences.maxAffected : null,
    minAffected: isStrict ? preferences.minAffected : null,
    isDryRun: preferences.tx === 'rollback',
    isCounted: preferences.count !== null,
    applied: appliedPreferences(preferences, effectsOf(method, preferences)),
  };
}

const effectsOf = (method: string, { return: returns }: Preferences) => ({
  resolution: false,
  missing: method !== 'DELETE',
  returns: returns !== null,
  affected: method !== 'POST',
});

/** 21000, as pg-safeupdate has it: a forgotten filter must not reach every row. */
const unfiltered = (command: 'UPDATE' | 'DELETE') => ({
  status: 400,
  code: '21000',
  message: `${command} requires a WHERE clause`,
  hint: 'Name the rows with a filter, such as id=eq.…',
});
