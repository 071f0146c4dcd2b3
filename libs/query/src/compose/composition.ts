// The questions to services, in their order, for a response with records of several services. A composition is plain data: it has
// parts of the parsed request and paths but no plan, so it can be read, compared and executed without knowing SQL.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import type { Field } from '../parse/name.js';
import { isRead, type ParsedRequest } from '../parse/request.js';
import type { PlanContext } from '../plan/context.js';
import { pathThrough, type EmbedPath } from '../plan/semi-join-keys.js';
import { negotiated, type Media } from '../parse/media.js';
import { planRead } from '../plan/read.js';
import { planWrite } from '../plan/write.js';
import type { SubqueryResult } from '../plan/subplan.js';
import type { PlannedEmbed, PlannedSelect, ReadNode } from '../plan/read-plan.js';
import { hasRemote } from '../plan/select.js';
import { tooMany } from '../problems.js';
import { needsOf, needsToFetch, type FetchedRef, type Need } from './needs.js';
import { formatOf, formatWithin, piecesOf, type Format, type Piece } from '../plan/pieces.js';

/** Keys to fetch before the steps that need them. */
export interface KeysStep {
  readonly service: string;
  /** The path from the root of the request to the embed. */
  readonly path: EmbedPath;
  readonly result: Extract<SubqueryResult, { kind: 'keys' }>;
  /** Paths of the embeds whose keys must be fetched first. */
  readonly needs: readonly EmbedPath[];
}

/** Rows in pieces, and where the missing pieces come from. */
export interface RowsStep {
  readonly service: string;
  /** The path from the root of the request to the embed; empty for the root. */
  readonly path: EmbedPath;
  readonly format: Format;
  /** Whether the relation has conditions, whose values must be checked even if no keys are wanted. */
  readonly hasConditions: boolean;
  readonly needs: readonly EmbedPath[];
  readonly pieces: readonly PieceStep[];
}

/** A column of the rows: a run of members, or the key of related records. */
export type PieceStep =
  | { readonly kind: 'run' }
  | {
      readonly kind: 'embed' | 'spread';
      /** The names of the members that the column becomes. */
      readonly keys: readonly string[];
      readonly isToOne: boolean;
      /** Whether a row that refers to no record still has a value, such as a count of 0. */
      readonly takesNull: boolean;
      readonly rows: RowsStep;
    };

export interface Composition {
  readonly keys: readonly KeysStep[];
  readonly root: RowsStep;
  /** Relations that the response does not show, but whose conditions must still be checked. */
  readonly unchecked: readonly RowsStep[];
  /** Whether the rows of the root come in pieces; otherwise the response of its service is the response. */
  readonly isComposed: boolean;
  readonly shape: Media['shape'];
  /** The members of the returned objects. */
  readonly members: readonly string[];
}

type Root = Pick<ReadNode, 'resource' | 'embeds' | 'select' | 'where' | 'order'>;

/**
 * Plans the composition of a response. For a write it plans the records in the response.
 * @param context with `semiJoinKeys`
 * @returns null for a write whose response contains no records
 * @throws {Rejection} as a read or a write of the request
 */
export function planComposition(parsed: ParsedRequest, context: PlanContext): Composition | null {
  const root = rootOf(parsed, context);
  if (root === null) return null;
  const media = negotiated(parsed.accept);
  const rows = rowsStep(root, { path: [], format: formatOf(media), hasConditions: false });
  if (pathsIn(rows).length > limits.subplans)
    reject(tooMany(`more than ${limits.subplans} relations of other services`));
  const isComposed = parsed.method !== 'HEAD' && hasRemote(root.select);
  const read = isComposed ? rows : { ...rows, pieces: [] };
  const keys = keysSteps(root, read);
  const readPaths = new Set([...pathsIn(read), ...keys.map(({ path }) => path)].map(nameOf));
  return {
    keys,
    root: rows,
    unchecked: uncheckedOf(root, [], readPaths),
    isComposed,
    shape: media.shape,
    members: root.select.items.map(({ key }) => key),
  };
}

function rootOf(parsed: ParsedRequest, context: PlanContext): Root | null {
  if (isRead(parsed.method)) return planRead(parsed, context);
  const { resource, returning } = planWrite(parsed, context);
  return returning === null ? null : { resource, ...returning };
}

/** Embeds of other services that no other step reads, although they have conditions. */
function uncheckedOf(root: Root, path: EmbedPath, readPaths: ReadonlySet<string>): readonly RowsStep[] {
  return root.embeds.flatMap((embed, index) => {
    const at = [...path, index];
    const inner = uncheckedOf(embed.node, at, readPaths);
    if (!embed.isCrossService || !embed.hasConditions || readPaths.has(nameOf(at))) return inner;
    const format: Format = { kind: 'members', stripped: false };
    const step = { ...rowsStep(embed.node, { path: at, format, hasConditions: true }), pieces: [] };
    // Keys for it are fetched only if a part of the response depends on it.
    return step.needs.length > 0 ? inner : [step, ...inner];
  });
}

/** Each path once. */
const pathsOf = (needs: readonly Need[]): readonly EmbedPath[] => [
  ...new Map(needs.map(({ path }) => [nameOf(path), path])).values(),
];

const nameOf = (path: EmbedPath): string => path.join('.');

/** The paths of the relations that are asked for separately. */
const pathsIn = ({ pieces }: RowsStep): readonly EmbedPath[] =>
  pieces.flatMap((piece) => (piece.kind === 'run' ? [] : [piece.rows.path, ...pathsIn(piece.rows)]));

type RowsTerms = Pick<RowsStep, 'path' | 'format' | 'hasConditions'>;

function rowsStep(node: Root, terms: RowsTerms): RowsStep {
  return {
    service: node.resource.service,
    ...terms,
    needs: pathsOf(needsOf(node, terms.path)),
    pieces: piecesOf(node.select, terms.format).map((piece) => pieceStep(node, piece, terms)),
  };
}

function pieceStep(node: Root, piece: Piece, { path, format }: RowsTerms): PieceStep {
  if (piece.kind === 'run') return { kind: 'run' };
  const { embed } = piece;
  return {
    kind: piece.kind,
    keys: piece.kind === 'embed' ? [piece.key] : piece.keys,
    isToOne: embed.relation.isToOne,
    takesNull: embed.node.select.isGrouped,
    rows: rowsStep(embed.node, {
      path: [...path, node.embeds.indexOf(embed)],
      format: formatWithin(format, piece),
      hasConditions: embed.hasConditions,
    }),
  };
}

/** The steps that fetch keys, one for each embed whose keys a part of the response depends on. */
function keysSteps(root: Root, rows: RowsStep): readonly KeysStep[] {
  const needs = new Map<string, Need>();
  const add = (found: readonly Need[]): void => {
    for (const need of found) {
      const name = nameOf(need.path);
      const earlier = needs.get(name);
      needs.set(name, earlier === undefined ? need : merged(earlier, need));
      if (earlier === undefined) add(needsToMatch(need));
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
      values: need.values.map(({ through, field }) => ({
        ...field,
        through: pathThrough(need.embed.node, through),
      })),
      ranks: need.ranks,
    },
    needs: pathsOf([...needsToMatch(need), ...needsToFetch(need)]),
  }));
}

/** The needs of the conditions on an embed's records. */
const needsToMatch = ({ embed, path }: Need): readonly Need[] =>
  needsOf({ ...embed.node, order: [], select: NOTHING }, path);

const NOTHING: PlannedSelect = { source: 'columns', isGrouped: false, items: [] };

const merged = (a: Need, b: Need): Need => ({
  ...a,
  matching: a.matching || b.matching,
  values: union(a.values, b.values, isSameFetched),
  ranks: union(a.ranks, b.ranks, isSameField),
});

const union = <T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): readonly T[] => [
  ...a,
  ...b.filter((added) => !a.some((present) => isSame(present, added))),
];

const isSameFetched = (a: FetchedRef, b: FetchedRef): boolean =>
  isSameField(a.field, b.field) &&
  a.through.length === b.through.length &&
  a.through.every((embed, index) => embed === b.through[index]);

const isSameField = (a: Field, b: Field): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The root and every node whose rows are asked for separately. */
function nodesOf(root: Root, rows: RowsStep): (readonly [Root, EmbedPath])[] {
  const inner = rows.pieces.flatMap((piece) => {
    if (piece.kind === 'run') return [];
    const embed = root.embeds[piece.rows.path.at(-1) ?? -1] as PlannedEmbed;
    return nodesOf(embed.node, piece.rows);
  });
  return [[root, rows.path], ...inner];
}
