// Writes the functions as sections of docs/functions.md.

import { practiceRoles } from '@practice/core';
import { entries, type FunctionDefinition } from '@practice/resource';
import { columnLine } from './column-list.js';

/** Every function as Markdown: its purpose, its callers, the kind of its result and its arguments. */
export const functionsReference = (all: readonly FunctionDefinition[]): string =>
  [...all]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(referenceOf)
    .join('\n\n');

function referenceOf(definition: FunctionDefinition): string {
  const { name, description } = definition;
  const parts = [`## ${name}`, description, conditionsOf(definition), ...argumentsOf(definition)];
  return parts.filter((part) => part !== '').join('\n\n');
}

function conditionsOf(definition: FunctionDefinition): string {
  const { effect, needsSession, roles } = definition;
  const isForAll = practiceRoles.every((role) => roles.includes(role));
  return [
    ...(isForAll ? [] : [`Roles: ${roles.join(', ')}.`]),
    ...(effect === 'reads' ? ['Reads.'] : []),
    ...(needsSession === true && !takesProof(definition) ? ['Needs a session.'] : []),
    ...(takesProof(definition) ? ['Takes a proof.'] : []),
    ...resultOf(definition),
  ].join(' ');
}

/** The two arguments that replace a recent sign-in. The page explains them once, at its top. */
const PROOF = ['current_password', 'nonce'];

const takesProof = ({ arguments: given }: FunctionDefinition): boolean =>
  PROOF.every((name) => Object.hasOwn(given, name));

/** The arguments in one line. Only OpenAPI and the types for clients describe the meaning of each argument. */
function argumentsOf(definition: FunctionDefinition): string[] {
  const hidden = takesProof(definition) ? PROOF : [];
  const shown = entries(definition.arguments).filter(([name]) => !hidden.includes(name));
  return shown.length === 0 ? [] : [`Arguments: ${columnLine(shown)}.`];
}

function resultOf({ returns }: FunctionDefinition): string[] {
  if (returns.kind === 'object') return [];
  return [returns.kind === 'rows' ? 'Returns rows.' : 'Returns nothing (204).'];
}
