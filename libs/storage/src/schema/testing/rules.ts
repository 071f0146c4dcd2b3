// Rules for migrations that run while the previous release still serves. A rule returns the reason of each refusal.
import { relationOf, type Node, type Statement } from './statements.js';

/** Facts about the whole migration that rules for one statement need. */
export interface Within {
  /** Tables that the migration creates: they are empty, and no release knows them. */
  readonly created: ReadonlySet<string>;
  /** Constraints that the migration adds. */
  readonly constraints: ReadonlySet<string>;
}

export type Rule = (statement: Statement, within: Within) => readonly string[];

/** The objects whose loss the previous release notices, as messages name them. */
const READ: Readonly<Record<string, string>> = {
  OBJECT_TABLE: 'a table',
  OBJECT_VIEW: 'a view',
  OBJECT_FUNCTION: 'a function',
  OBJECT_SCHEMA: 'a schema',
  OBJECT_SEQUENCE: 'a sequence',
  OBJECT_TYPE: 'a type',
  OBJECT_COLUMN: 'a column',
};

const noLoss: Rule = ({ type, fields }) => {
  const dropped = type === 'DropStmt' ? READ[String(fields['removeType'])] : undefined;
  const renamed = type === 'RenameStmt' ? READ[String(fields['renameType'])] : undefined;
  if (dropped !== undefined) return [`drops ${dropped} that the previous release reads`];
  if (renamed !== undefined) return [`renames ${renamed} that the previous release reads`];
  if (type === 'TruncateStmt') return ['empties a table that the previous release reads'];
  if (type === 'AlterObjectSchemaStmt') return ['moves an object that the previous release reads'];
  const isRevoke = type === 'GrantStmt' && fields['is_grant'] !== true;
  return isRevoke ? ['revokes a right that the previous release may use'] : [];
};

const indexesConcurrently: Rule = ({ type, fields }, { created }) =>
  type === 'IndexStmt' && fields['concurrent'] !== true && !created.has(relationOf(fields))
    ? ['creates an index without CONCURRENTLY, which blocks writes: use a file of its own']
    : [];

type Command = (command: Node, within: Within) => string | undefined;

interface Constraint {
  readonly contype: string;
  readonly conname?: string;
  readonly indexname?: string;
  readonly skip_validation?: boolean;
}

const constraintsOf = (column: Node): readonly Constraint[] =>
  ((column['constraints'] ?? []) as { Constraint: Constraint }[]).map(({ Constraint: one }) => one);

const addColumn: Command = ({ def }) => {
  const kinds = constraintsOf((def as { ColumnDef: Node }).ColumnDef).map(({ contype }) => contype);
  if (kinds.includes('CONSTR_NOTNULL') && !kinds.some((kind) => FILLS.has(kind)))
    return 'adds a column that is NOT NULL without a default: the previous release cannot insert rows';
  return kinds.some((kind) => SCANS.has(kind) || kind === 'CONSTR_GENERATED')
    ? 'adds a column with a constraint or an expression that reads or rewrites the whole table'
    : undefined;
};

const FILLS: ReadonlySet<string> = new Set(['CONSTR_DEFAULT', 'CONSTR_IDENTITY', 'CONSTR_GENERATED']);
const SCANS: ReadonlySet<string> = new Set([
  'CONSTR_CHECK',
  'CONSTR_FOREIGN',
  'CONSTR_UNIQUE',
  'CONSTR_PRIMARY',
]);

const addConstraint: Command = ({ def }) => {
  const { contype, skip_validation, indexname } = (def as { Constraint: Constraint }).Constraint;
  if (['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_NOTNULL'].includes(contype))
    return skip_validation
      ? undefined
      : 'adds a constraint without NOT VALID, which blocks all access while it is checked';
  return indexname !== undefined
    ? undefined
    : 'adds a constraint that builds its index while the table is locked: create the index CONCURRENTLY, then add it USING INDEX';
};

const validate: Command = ({ name }, { constraints }) =>
  constraints.has(String(name))
    ? 'validates a constraint in the transaction that adds it, so the lock stays: use the next file'
    : undefined;

const commands: Readonly<Record<string, Command>> = {
  AT_DropColumn: () => 'drops a column that the previous release reads',
  AT_AddColumn: addColumn,
  AT_AlterColumnType: () => 'changes the type of a column',
  AT_SetNotNull: () => 'sets NOT NULL on a column into which the previous release may write null',
  AT_ColumnDefault: ({ def }) =>
    def === undefined
      ? 'drops a default: the previous release leaves the column out of its inserts'
      : undefined,
  AT_AddConstraint: addConstraint,
  AT_ValidateConstraint: validate,
};

const alterations: Rule = ({ type, fields }, within) =>
  type !== 'AlterTableStmt' || within.created.has(relationOf(fields))
    ? []
    : commandsOf(fields).flatMap((command) => commands[String(command['subtype'])]?.(command, within) ?? []);

/** The commands of an ALTER TABLE. */
export const commandsOf = ({ cmds }: Node): readonly Node[] =>
  ((cmds ?? []) as { AlterTableCmd: Node }[]).map(({ AlterTableCmd: command }) => command);

/** The name of the constraint that a command adds. */
export const addedConstraint = ({ subtype, def }: Node): string | undefined =>
  subtype === 'AT_AddConstraint' ? (def as { Constraint: Constraint }).Constraint.conname : undefined;

export const rules: readonly Rule[] = [noLoss, indexesConcurrently, alterations];
