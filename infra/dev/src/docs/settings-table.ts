import { variables } from '../dev.config.js';
import type { Variable } from '../variables.js';

/** The environment variables as README's table has them. */
export function settingsTable(): string {
  const rows = Object.entries<Variable<unknown>>(variables).map(
    ([name, { default: preset, meaning }]) =>
      `| \`${name}\` | ${preset === '' ? '' : `\`${preset}\``} | ${meaning} |`,
  );
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
