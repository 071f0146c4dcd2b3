import { writeFile } from 'node:fs/promises';
import { resourcesOf } from '@practice/contracts';
import { openDataSource } from '../storage/data-source.js';
import type { MigrationClass } from '../storage/migration.js';
import { schemaChanges } from '../storage/schema-changes.js';
import { readOwnerUrl } from './service.config.js';

/**
 * The migrating process of a service: brings its schema up to date as its owner, prints what it did, and ends.
 * With `--write FILE NAME` it then writes the migration that the definitions ask for beyond those there are.
 */
export async function migrate(service: string, migrations: readonly MigrationClass[]): Promise<void> {
  const resources = resourcesOf(service);
  const input = { service, url: readOwnerUrl(), resources, migrations: [...migrations] };
  const dataSource = await openDataSource(input);
  try {
    const done = await dataSource.runMigrations({ transaction: 'each' });
    for (const { name } of done) process.stdout.write(`${service}: ${name}\n`);
    const [flag, file, name] = process.argv.slice(2);
    if (flag === '--write' && file !== undefined && name !== undefined) {
      await writeFile(file, source(name, await schemaChanges(dataSource, resources)), { flag: 'wx' });
    }
  } finally {
    await dataSource.destroy();
  }
}

function source(name: string, statements: readonly string[]): string {
  const lines = statements.map(
    (statement) => `  \`${readable(statement).replace(/([`\\]|\$\{)/g, '\\$1')}\`,\n`,
  );
  return `import { migration } from '@practice/service';\n\nexport const ${name} = migration('${name}', [\n${lines.join('')}]);\n`;
}

/** One column or constraint a line, so that a review sees what changed. */
const readable = (statement: string): string =>
  statement.replace(/, (?="\w+" [A-Za-z]|CONSTRAINT)/g, ',\n    ').trim();
