import { settings } from '@practice/settings';

/** The settings as README's table in Markdown. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([name, { preset, meaning }]) => `| \`${name}\` | ${preset ? `\`${preset}\`` : ''} | ${meaning} |`,
  );
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
