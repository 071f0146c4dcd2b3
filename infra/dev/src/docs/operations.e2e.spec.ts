import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFolder } from '../processes/app.js';
import { runningStack } from '../running-stack.config.js';
import { session } from './session.js';

const handbook = readFileSync(join(projectFolder, 'docs', 'operations.md'), 'utf8');

/** Commands that change nothing: they run here. The module of each, without the build, and what it prints. */
const harmless: Readonly<Record<string, readonly [string, RegExp]>> = {
  'keys list': ['commands.js', /signs/],
  'events lag': ['events/commands.js', /^SUBSCRIPTION +PENDING/m],
  'events dead-letters': ['events/commands.js', /^There are no dead letters\.|^ID +SINCE/m],
};

/** The specs and programs that run the other commands. */
const elsewhere: Readonly<Record<string, string>> = {
  start: 'infra/dev/src/docs/readme.e2e.spec.ts',
  backup: 'infra/dev/src/backup/backup.e2e.spec.ts',
  'backup list': 'infra/dev/src/backup/backup.e2e.spec.ts',
  'backup verify': 'infra/dev/src/backup/damage.e2e.spec.ts',
  build: 'infra/dev/bin/build.mjs',
  restore: 'infra/dev/src/backup/backup.e2e.spec.ts',
  'projections rebuild': 'apps/scheduling/src/rebuild.e2e.spec.ts',
  'log verify': 'libs/recovery/src/verify/verify-logs.int.spec.ts',
  'log restored': 'libs/recovery/src/reconcile/restored-database.e2e.spec.ts',
  'log erase-practice': 'apps/identity/test/erase-practice.e2e.spec.ts',
  'events user': 'libs/bus/src/events/outside-user.e2e.spec.ts',
  'events republish': 'libs/recovery/src/republish/republish.int.spec.ts',
  'keys rotate': 'apps/identity/test/keys.e2e.spec.ts',
  'keys withdraw': 'apps/identity/test/keys.e2e.spec.ts',
  'keys rotate-secrets': 'apps/identity/test/rotate-secrets.e2e.spec.ts',
  'keys rotate-personal': 'libs/recovery/src/rebuild/sealed-values.e2e.spec.ts',
  migration: 'infra/dev/src/migrations.int.spec.ts',
  drill: 'infra/dev/bin/drill.mjs',
  kubernetes: 'infra/dev/src/kubernetes/manifests.spec.ts',
  'kubernetes production': 'infra/dev/src/kubernetes/manifests.spec.ts',
};

/** The commands of the handbook: the script, and its first word. */
function commands(): Set<string> {
  const found = handbook.matchAll(/npm run ([a-z-]+)(?: -- ((?:--)?[a-z-]+)| -- \S+)?|npm (start)/g);
  return new Set(
    [...found].map(([, script, verb, start]) => {
      if (start !== undefined || script === undefined) return 'start';
      const isOption = verb?.startsWith('--') === true && verb !== '--once';
      return verb === undefined || isOption ? script : `${script} ${verb}`;
    }),
  );
}

describe('docs/operations.md', () => {
  it('has no command that nothing runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    for (const command of commands()) {
      const [script = '', ...rest] = command.split(' ');
      expect(Object.keys(scripts)).toContain(script);
      const isKnown = command in harmless || command in elsewhere || (script === 'drill' && rest.length > 0);
      expect({ command, isKnown }).toEqual({ command, isKnown: true });
    }
    for (const place of Object.values(elsewhere))
      expect({ place, exists: existsSync(join(projectFolder, place)) }).toEqual({ place, exists: true });
  });

  it('names commands that print what it says, on a running system', async () => {
    const env = { DATA_DIR: runningStack().dataDir };
    const printed = await Promise.all(
      Object.entries(harmless).map(async ([command, [module]]) => {
        const [name = '', ...args] = command.split(' ');
        const file = join(projectFolder, 'infra', 'dev', 'dist', module);
        const code = `import(${JSON.stringify(file)}).then((m) => m.${name}(${JSON.stringify(args)}))`;
        return { command, ...(await session(process.execPath, ['-e', code], { env })) };
      }),
    );
    for (const { command, status, output } of printed)
      expect({ command, status, output }).toEqual({
        ...{ command, status: 0 },
        output: expect.stringMatching(harmless[command]?.[1] as RegExp),
      });
  });
});
