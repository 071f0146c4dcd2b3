import { serviceSettings, settings } from '@practice/settings';

/** The settings as README's list in Markdown. */
export function settingsList(): string {
  const all = [
    ...Object.entries(settings),
    ...Object.entries(serviceSettings).map(([name, setting]) => [`<SERVICE>_${name}`, setting] as const),
  ];
  return all
    .map(([name, { preset, meaning }]) => `- \`${name}\`${preset ? ` (\`${preset}\`)` : ''}: ${meaning}`)
    .join('\n');
}
