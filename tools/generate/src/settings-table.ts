import { serviceSettings, settings } from '@practice/settings';

/** The settings as README's table in Markdown. */
export function settingsTable(): string {
  const all = [
    ...Object.entries(settings),
    ...Object.entries(serviceSettings).map(([name, setting]) => [`<SERVICE>_${name}`, setting] as const),
  ];
  const rows = all.map(
    ([name, { preset, meaning }]) => `| \`${name}\` | ${preset ? `\`${preset}\`` : ''} | ${meaning} |`,
  );
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
