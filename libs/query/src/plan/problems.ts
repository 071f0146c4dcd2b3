import { problemFor, type Problem } from '@practice/core';

/** 42883: the type does not have the operator. As in PostgREST, the status is 404. */
export const noSuchOperator = (sqlType: string, operator: string, operand = 'unknown'): Problem =>
  problemFor('42883', {
    message: `operator does not exist: ${sqlType} ${operator} ${operand}`,
    hint: 'No operator matches the given name and argument types. You might need to add explicit type casts.',
  });

/** 42883: the type cannot be searched, since no function makes a document of it. */
export const notSearchable = (sqlType: string, config: string | null): Problem =>
  problemFor('42883', {
    message: `function to_tsvector(${config === null ? '' : 'unknown, '}${sqlType}) does not exist`,
    hint: 'No function matches the given name and argument types. You might need to add explicit type casts.',
  });

/** PGRST127: parsed, but not implemented. */
export const notImplemented = (details: string): Problem => problemFor('PGRST127', { details });

/** PGRST108: an option is about a relation that the select does not embed. */
export const notEmbedded = (name: string): Problem =>
  problemFor('PGRST108', {
    message: `'${name.slice(0, 100)}' is not an embedded resource in this request`,
    hint: `Verify that '${name.slice(0, 100)}' is included in the 'select' query parameter.`,
  });
