/** Whether an `Accept` header takes one of these media types; a range of it counts for all that are in it. */
export function takes(accept: string | undefined, types: readonly string[]): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([range = '', ...parameters]) => !isRefused(parameters) && types.some((type) => isIn(type, range)));
}

/** `q=0` says that it is not taken. */
const isRefused = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));

const isIn = (type: string, range: string): boolean =>
  range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
