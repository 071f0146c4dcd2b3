// Checks that the previous release works with a migration: it runs beside this release during an upgrade, and again after a rollback.
import { runsInTransaction, statementTexts } from '../migrations.js';
import { addedConstraint, commandsOf, rules, type Within } from './rules.js';
import { relationOf, statementsOf, type Node, type Statement } from './statements.js';

const SHORTEST_REASON = 15;

/** Problems of a migration, a line for each; none if it may run beside the previous release. */
export async function lintMigration(sql: string): Promise<string[]> {
  const statements = await statementsOf(sql);
  const within = withinOf(statements);
  return [
    ...transactionProblems(sql, statements),
    ...statements.flatMap((statement) => {
      const found = rules.flatMap((rule) => rule(statement, within));
      return excused(statement, found);
    }),
  ];
}

function withinOf(statements: readonly Statement[]): Within {
  const of = (type: string): Node[] =>
    statements.filter((one) => one.type === type).map(({ fields }) => fields);
  return {
    created: new Set(of('CreateStmt').map(relationOf)),
    constraints: new Set(
      of('AlterTableStmt')
        .flatMap(commandsOf)
        .flatMap((one) => addedConstraint(one) ?? []),
    ),
  };
}

/** Removes the problems that an exception excuses. An exception needs a reason, and a problem that it excuses. */
function excused({ contract, text }: Statement, found: readonly string[]): string[] {
  const shown =
    text
      .replace(/^\s*--.*$/gm, '')
      .trim()
      .split('\n', 1)[0] ?? '';
  if (contract === undefined) return found.map((problem) => `${shown}: ${problem}`);
  if (found.length === 0) return [`${shown}: the exception is not needed`];
  return contract.length < SHORTEST_REASON ? [`${shown}: the exception has no reason`] : [];
}

function transactionProblems(sql: string, statements: readonly Statement[]): string[] {
  const isConcurrent = statements.some(({ fields }) => fields['concurrent'] === true);
  if (runsInTransaction(sql))
    return isConcurrent ? ['CONCURRENTLY needs a file that begins with "-- transaction: none"'] : [];
  const isAlone = statements.every(({ fields }) => fields['concurrent'] === true);
  return [
    ...(isAlone ? [] : ['a file without a transaction has statements with CONCURRENTLY only']),
    ...(statementTexts(sql).length === statements.length
      ? []
      : ['each statement of a file without a transaction ends with a semicolon at the end of a line']),
  ];
}
