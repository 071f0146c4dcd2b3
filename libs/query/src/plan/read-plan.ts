// The types of a plan. They have only resolved columns, operators and relations, so everything in a plan exists.

import type { PracticeRole } from '@practice/core';
import type { Kind, OperatorFamily, Resource } from '@practice/resource';
import type { Operand, Operator } from '../operators.js';
import type { JsonStep } from '../parse/name.js';
import type { AggregateFunction, TimeUnit } from '../parse/select.js';
import type { DetachedSql } from './detached.js';

/** The type of a value, with the properties that comparisons use. */
export interface FieldType {
  /** The name of the type in SQL, without precision. */
  readonly sqlType: string;
  readonly families: readonly OperatorFamily[];
}

/** A column of the resource that callers may see. */
export interface PlannedColumn {
  readonly name: string;
  readonly kind: Kind;
  readonly type: FieldType;
  /** The values are in lower case, so values to compare with may be in any case. */
  readonly lowerCase?: boolean;
  /** The function that finds the ids of records by an index, for the operator `sim`. */
  readonly lookup?: string;
  /** Present for a column that is computed from the search of the request. */
  readonly virtual?: VirtualColumn;
  /** Present for a column that is not part of the record. */
  readonly detached?: DetachedSql;
  /** Only the response to the write that created the value shows it. */
  readonly isOneTimeSecret?: boolean;
}

/** A column that is computed from a search: how well a record matches the filters, or the passage that matches. */
export interface VirtualColumn {
  readonly kind: 'rank' | 'snippet';
  /** At least one filter: `sim` and full-text filters that are not negated. */
  readonly filters: readonly PlannedFilter[];
}

/** A column, a path into its JSON, or the period of its value. */
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
  /** The name of the embed in the request: its alias, or its target. */
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
  /** The aggregated field; null to count rows. */
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
   * is stored beside the row can be returned. `columns`: each column is selected separately.
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
  /** The conditions, which must all be true. */
  readonly where: readonly PlannedCondition[];
  /** Total, so that pages neither skip nor repeat rows: it ends with the primary key, or with every member of a group's key. */
  readonly order: readonly PlannedOrder[];
  readonly offset: number;
  /** The maximum number of rows, with the cap on every read applied. */
  readonly limit: number;
}
