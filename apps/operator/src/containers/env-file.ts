import { Failure } from '../common/failure.js';

/** The content of a file for `node --env-file`. Each value is between quotes of a kind that does not occur in the value. */
export function envFile(environment: Readonly<Record<string, string | number>>): string {
  return Object.entries(environment)
    .map(([name, given]) => {
      const value = String(given);
      const quote = [`'`, '`', '"'].find((mark) => !value.includes(mark));
      if (quote === undefined) throw new Failure(`${name} holds every kind of quotation mark.`);
      return `${name}=${quote}${value}${quote}\n`;
    })
    .join('');
}
