// Which services are asked what, in which order, for an answer whose records several of them own. Plain data: it holds
// no plan, only ways to parts of the request, so that it can be read, compared and followed without knowing SQL.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import type { Field } from '../parse/name.js';
import type { ParsedRequest } from '../parse/request.js';
import { resourceOf } from '../plan/context.js';
import type { PlanContext } from '../plan/context.js';
import { positionsOfEmbeds } from '../plan/semi-join-keys.js';
import type { EmbedPath } from '../plan/semi-join-keys.js';
import { negotiated } from '../parse/media.js';
import { planRead } from '../plan/read.js';
import { planReturning } from '../plan/terms.js';
import type { FetchedFieldRef, SubqueryResult } from '../plan/subplan.js';
import type { PlannedEmbed, ReadNode } from '../plan/read-plan.js';
import { hasRemote } from '../plan/select.js';
import { tooMany } from '../problems.js';
import { needsOf, needsToFetch } from './needs.js';
import type { Need, FetchedRef } from './needs.js';
import { formatOf, formatWithin, piecesOf } from './pieces.js';
import type { Format, Piece } from './pieces.js';

/** Keys to fetch before the steps that need them. */
export interface KeysStep {
  readonly service: string;
  /** The way to the embed whose keys they are. */
  readonly path: EmbedPath;
  readonly result: Extract<SubqueryResult, { kind: 'keys' }>;
  /** Ways to the embeds whose keys must be known first. */
  readonly needs: readonly EmbedPath[];
}

/** Rows in pieces, and where the pieces that are missing come from. */
export interface RowsStep {
  readonly service: string;
  readonly path: EmbedPath;
  readonly format: Format;
  readonly needs: readonly EmbedPath[];
  readonly pieces: readonly PieceStep[];
}

/** A column of the rows: a run of members, or the key of related records. */
export type PieceStep =
  | { readonly kind: 'run' }
  | {
      readonly kind: 'embed' | 'spread';
      /** The members that it makes. */
      readonly keys: readonly string[];
      readonly isToOne: boolean;
      /** Whether something is answered also for a row that refers to nothing: a count of 0. */
      readonly takesNull: boolean;
      readonly rows: RowsStep;
    };

export interface Composition {
  readonly keys: readonly KeysStep[];
  readonly root: RowsStep;
  /** Whether rows of the root come in pieces at all; else its answer is the answer. */
  readonly isComposed: boolean;
  readonly shape: 'array' | 'object' | 'csv';
  /** The members of the answered objects. */
  readonly members: readonly string[];
}

type Root = Pick<ReadNode, 'resource' | 'embeds' | 'select' | 'where' | 'order'>;

/**
 * Plans the composition of an answer; for a write that of the records it gives back.
 * @param context with `semiJoinKeys`
 * @returns null for a write that gives nothing back
 * @throws {Rejection} as a read or a write of the request
 */
export function planComposition(parsed: ParsedRequest, context: PlanContext): Composition | null {
  const root = rootOf(parsed, context);
  if (root === null) return null;
  const media = negotiated(parsed.accept);
  const rows = rowsStep(root, { path: [], format: formatOf(media) });
  if (subplansOf(rows) > limits.parts)
    reject(tooMany(`more than ${limits.parts} relations of other services`));
  const isComposed = parsed.method !== 'HEAD' && hasRemote(root.select);
  return {
    keys: keysSteps(root, isComposed ? rows : { ...rows, pieces: [] }),
    root: rows,
    isComposed,
    shape: media.shape,
    members: root.select.items.map(({ key }) => key),
  };
}

function rootOf(parsed: ParsedRequest, context: PlanContext): Root | null {
  if (parsed.method === 'GET' || parsed.method === 'HEAD') return planRead(parsed, context);
  const resource = resourceOf(context, parsed.resource);
  const returning = planReturning(resource, parsed, context);
  return returning === null ? null : { resource, ...returning };
}

interface Place {
  readonly path: EmbedPath;
  readonly format: Format;
}

/** Each once. */
const waysOf = (needs: readonly Need[]): readonly EmbedPath[] => [
  ...new Map(needs.map(({ path }) => [path.join('.'), path])).values(),
];

/** How many relations are asked for by themselves. */
const subplansOf = ({ pieces }: RowsStep): number =>
  pieces.reduce((sum, piece) => sum + (piece.kind === 'run' ? 0 : 1 + subplansOf(piece.rows)), 0);

function rowsStep(node: Root, { path, format }: Place): RowsStep {
  const needs = waysOf(needsOf(node, path));
  const pieces = piecesOf(node.select, format).map((piece) => pieceStep(node, piece, { path, format }));
  return { service: node.resource.service, path, format, needs, pieces };
}

function pieceStep(node: Root, piece: Piece, { path, format }: Place): PieceStep {
  if (piece.kind === 'run') return { kind: 'run' };
  const { embed } = piece;
  const place = { path: [...path, node.embeds.indexOf(embed)], format: formatWithin(format, piece) };
  return {
    kind: piece.kind,
    keys: piece.kind === 'embed' ? [piece.key] : piece.keys,
    isToOne: embed.relation.isToOne,
    takesNull: embed.node.select.isGrouped,
    rows: rowsStep(embed.node, place),
  };
}

/** Every question about keys that some part of the answer rests on, each once. */
function keysSteps(root: Root, rows: RowsStep): readonly KeysStep[] {
  const needs = new Map<string, Need>();
  const add = (found: readonly Need[]): void => {
    for (const need of found) {
      const known = needs.get(need.path.join('.'));
      needs.set(need.path.join('.'), known === undefined ? need : merged(known, need));
      if (known === undefined) add(needsToMatch(need));
      add(needsToFetch(need));
    }
  };
  for (const [node, path] of nodesOf(root, rows)) add(needsOf(node, path));
  return [...needs.values()].map((need) => ({
    service: need.embed.node.resource.service,
    path: need.path,
    result: {
      kind: 'keys',
      matching: need.matching,
      values: need.values.map((fetched) => fetchedRef(need, fetched)),
      ranks: need.ranks,
    },
    needs: waysOf([...needsToMatch(need), ...needsToFetch(need)]),
  }));
}

/** As it travels: with the places of the relations that lead to it. */
function fetchedRef({ embed }: Need, { through, field }: FetchedRef): FetchedFieldRef {
  return through.length === 0 ? field : { ...field, through: positionsOfEmbeds(embed.node, through) };
}

/** What tells which records meet the conditions on them. */
const needsToMatch = ({ embed, path }: Need): readonly Need[] =>
  needsOf({ ...embed.node, order: [], select: NOTHING }, path);

const NOTHING = { isWhole: false, isGrouped: false, items: [] };

const merged = (a: Need, b: Need): Need => ({
  ...a,
  matching: a.matching || b.matching,
  values: union(a.values, b.values),
  ranks: union(a.ranks, b.ranks),
});

const union = <T extends Field | FetchedRef>(a: readonly T[], b: readonly T[]): readonly T[] => [
  ...a,
  ...b.filter((one) => !a.some((known) => isSame(known, one))),
];

function isSame(a: Field | FetchedRef, b: Field | FetchedRef): boolean {
  if ('through' in a && 'through' in b)
    return (
      isSame(a.field, b.field) &&
      a.through.length === b.through.length &&
      a.through.every((embed, index) => embed === b.through[index])
    );
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The root and every node whose rows are asked for by themselves. */
function nodesOf(root: Root, rows: RowsStep): (readonly [Root, EmbedPath])[] {
  const inner = rows.pieces.flatMap((piece) => {
    if (piece.kind === 'run') return [];
    const embed = root.embeds[piece.rows.path.at(-1) ?? -1] as PlannedEmbed;
    return nodesOf(embed.node, piece.rows);
  });
  return [[root, rows.path], ...inner];
}
