// The closed types of a plan. They hold resolved columns, operators and relations: nothing in them can fail to exist.

import type { Kind, OperatorFamily, Resource } from '@practice/resource';
import type { Test } from '../parse/filter.js';
import type { JsonStep } from '../parse/name.js';
import type { AggregateFunction } from '../parse/select.js';

/** What a comparison needs to know of a value's type. */
export interface FieldType {
  /** As SQL names it, without precision. */
  readonly sqlType: string;
  readonly families: readonly OperatorFamily[];
}

/** A column of the resource that callers may see. */
export interface PlannedColumn {
  readonly name: string;
  readonly kind: Kind;
  readonly type: FieldType;
}

/** A column, or a place in the JSON that it holds. */
export interface PlannedField {
  readonly column: PlannedColumn;
  readonly path: readonly JsonStep[];
  readonly type: FieldType;
}

/** A test on a column whose kind has the operator. */
export interface PlannedFilter extends Test {
  readonly kind: 'filter';
  readonly field: PlannedField;
}

export interface PlannedTree {
  readonly kind: 'tree';
  readonly negated: boolean;
  readonly operator: 'and' | 'or';
  readonly members: readonly PlannedCondition[];
}

/** Whether there are related records that meet the conditions on them. */
export interface PlannedExistence {
  readonly kind: 'existence';
  readonly negated: boolean;
  readonly embed: PlannedEmbed;
}

export type PlannedCondition = PlannedFilter | PlannedTree | PlannedExistence;

/** A relation as it is followed from one side. */
export interface PlannedRelation {
  readonly isToOne: boolean;
  /** Columns of the two sides that are equal. */
  readonly here: string;
  readonly there: string;
}

/** Records of a related resource, within those they belong to. */
export interface PlannedEmbed {
  /** What the caller calls it. */
  readonly key: string;
  readonly relation: PlannedRelation;
  readonly node: ReadNode;
  /** Its records are another service's than those they belong to. */
  readonly isCrossService: boolean;
  /** It cannot be answered within the statement of the node outside: it is foreign, or holds what is. */
  readonly isRemote: boolean;
}

/** A member of the answered objects: each is one column of the statement. */
export type PlannedItem =
  | {
      readonly kind: 'value';
      readonly key: string;
      readonly field: PlannedField;
      readonly cast: string | null;
    }
  | PlannedAggregate
  | PlannedRecords
  /** A member of a related record that is spread into this one. */
  | {
      readonly kind: 'spread';
      readonly key: string;
      readonly embed: PlannedEmbed;
      readonly item: PlannedItem;
      /** It makes groups, and so must be comparable. */
      readonly isGroup: boolean;
    };

/** Related records as one member. */
export interface PlannedRecords {
  readonly kind: 'embed';
  readonly key: string;
  readonly embed: PlannedEmbed;
  /** It makes groups, and so must be comparable. */
  readonly isGroup: boolean;
}

export interface PlannedAggregate {
  readonly kind: 'aggregate';
  readonly key: string;
  readonly function: AggregateFunction;
  /** Null counts rows. */
  readonly field: PlannedField | null;
  /** The way to the related record that the field is one of, from relation to relation; empty where it is the row's own. */
  readonly through: readonly PlannedEmbed[];
  /** The SQL type to cast to before, and behind, the function. */
  readonly cast: string | null;
  readonly resultCast: string | null;
}

/** The members of the answered objects. */
export interface PlannedSelect {
  /** Every column as the record has it, and nothing else. */
  readonly isWhole: boolean;
  /** Holds an aggregate: the other members make the groups. */
  readonly isGrouped: boolean;
  readonly items: readonly PlannedItem[];
}

/** What rows are ordered by: a column, a member of a grouped answer (1 is the first), or a column of a related record. */
export type OrderKey =
  | { readonly kind: 'field'; readonly field: PlannedField }
  | { readonly kind: 'member'; readonly position: number }
  | { readonly kind: 'related'; readonly embed: PlannedEmbed; readonly field: PlannedField };

export interface PlannedOrder {
  readonly by: OrderKey;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/** The records of one resource that are read, at the root or embedded. */
export interface ReadNode {
  readonly resource: Resource;
  /** What the caller embeds, also where nothing of it is answered. */
  readonly embeds: readonly PlannedEmbed[];
  readonly select: PlannedSelect;
  /** All of them must hold. */
  readonly where: readonly PlannedCondition[];
  /** Total, so that pages neither skip nor repeat: it ends in the primary key, or in every member of a group. */
  readonly order: readonly PlannedOrder[];
  readonly offset: number;
  /** Rows at most, the cap on every read included. */
  readonly limit: number;
}
