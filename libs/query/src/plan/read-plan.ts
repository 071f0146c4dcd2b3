// The closed types of a plan. They hold resolved columns, operators and relations, so nothing in them can fail to exist.

import type { PracticeRole } from '@practice/core';
import type { Kind, OperatorFamily, Resource } from '@practice/resource';
import type { Operand, Operator } from '../operators.js';
import type { JsonStep } from '../parse/name.js';
import type { AggregateFunction, TimeUnit } from '../parse/select.js';
import type { DetachedSql } from './detached.js';

/** The properties of a value's type that comparisons use. */
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
  /** Its values are in lower case, so values to compare with may be in any. */
  readonly lowerCase?: boolean;
  /** The function that finds the ids of records by an index, for the operator `sim`. */
  readonly lookup?: string;
  /** Given for a column that the search of the request makes. */
  readonly virtual?: VirtualColumn;
  /** Given for a column that is no part of the record. */
  readonly detached?: DetachedSql;
  /** Only the response to the write that made the value shows it. */
  readonly isOneTimeSecret?: boolean;
}

/** A column that a search makes: how well a record matches its filters, and the passage that does. */
export interface VirtualColumn {
  readonly kind: 'rank' | 'snippet';
  /** At least one: `sim` and full-text filters that are not negated. */
  readonly filters: readonly PlannedFilter[];
}

/** A column, a path into the JSON that it holds, or the period that its value is in. */
export interface PlannedField {
  readonly column: PlannedColumn;
  readonly path: readonly JsonStep[];
  readonly unit?: TimeUnit;
  readonly type: FieldType;
}

/** A test on a column whose kind has the operator. */
export interface PlannedFilter {
  readonly kind: 'filter';
  readonly field: PlannedField;
  readonly negated: boolean;
  readonly operator: Operator;
  readonly operand: Operand;
}

export interface PlannedTree {
  readonly kind: 'tree';
  readonly negated: boolean;
  readonly operator: 'and' | 'or';
  readonly members: readonly PlannedCondition[];
}

/** Whether the embed returns any record. */
export interface PlannedExistence {
  readonly kind: 'existence';
  readonly negated: boolean;
  readonly embed: PlannedEmbed;
}

export type PlannedCondition = PlannedFilter | PlannedTree | PlannedExistence;

/** A relation as it is followed from one side. */
export interface PlannedRelation {
  readonly isToOne: boolean;
  /** The columns of the two sides that are equal. */
  readonly here: string;
  readonly there: string;
}

/** Records of a related resource, within the records they belong to. */
export interface PlannedEmbed {
  /** The name that the caller gives it. */
  readonly key: string;
  readonly relation: PlannedRelation;
  readonly node: ReadNode;
  /** `!inner`: rows without a related record are excluded. */
  readonly isInner: boolean;
  /** Whether the request has conditions on its records, or on records embedded in them. */
  readonly hasConditions: boolean;
  /** Its members become members of the record that embeds it. */
  readonly isSpread: boolean;
  /** Its records belong to another service than the records that embed them. */
  readonly isCrossService: boolean;
  /** The statement of the embedding node cannot return it: it is cross-service, or contains an embed that is. */
  readonly isRemote: boolean;
}

/** A member of the returned objects: each is one column of the statement. */
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
      /** It is part of a group's key, and so must be comparable. */
      readonly isGroup: boolean;
    };

/** Related records as one member. */
export interface PlannedRecords {
  readonly kind: 'embed';
  readonly key: string;
  readonly embed: PlannedEmbed;
  /** It is part of a group's key, and so must be comparable. */
  readonly isGroup: boolean;
}

export interface PlannedAggregate {
  readonly kind: 'aggregate';
  readonly key: string;
  readonly function: AggregateFunction;
  /** Null counts rows. */
  readonly field: PlannedField | null;
  /** The relations that lead to the record of the field; empty for a field of the row itself. */
  readonly through: readonly PlannedEmbed[];
  /** The SQL type to cast to before, and after, the function is applied. */
  readonly cast: string | null;
  readonly resultCast: string | null;
}

/** The members of the returned objects. */
export interface PlannedSelect {
  /**
   * Where the record's own columns come from. `stored`: they are the complete record in its stored form, so the JSON text that
   * is stored beside the row can be returned. `columns`: each is selected for itself.
   */
  readonly source: 'stored' | 'columns';
  /** Contains an aggregate: the other members are the group's key. */
  readonly isGrouped: boolean;
  readonly items: readonly PlannedItem[];
}

/** A key that rows are ordered by: a column, a member of a grouped response (1 is the first), or a column of a related record. */
export type OrderKey =
  | { readonly kind: 'field'; readonly field: PlannedField }
  | { readonly kind: 'member'; readonly position: number }
  | { readonly kind: 'related'; readonly embed: PlannedEmbed; readonly field: PlannedField };

export interface PlannedOrder {
  readonly by: OrderKey;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last' | null;
}

/** One node of a read: the records of one resource, at the root or embedded. */
export interface ReadNode {
  readonly resource: Resource;
  /** The role in which it is read. */
  readonly role: PracticeRole;
  /** The name of its table in Postgres' messages. */
  readonly alias: string;
  /** Everything that the caller embeds, even if the response shows nothing of it. */
  readonly embeds: readonly PlannedEmbed[];
  readonly select: PlannedSelect;
  /** All of them must hold. */
  readonly where: readonly PlannedCondition[];
  /** Total, so that pages neither skip nor repeat rows: it ends with the primary key, or with every member of a group's key. */
  readonly order: readonly PlannedOrder[];
  readonly offset: number;
  /** The maximum number of rows, with the cap on every read applied. */
  readonly limit: number;
}
