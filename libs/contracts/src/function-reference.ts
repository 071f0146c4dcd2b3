// The functions as sections of docs/functions.md.

import { practiceRoles } from '@practice/core';
import { entries, type FunctionDefinition } from '@practice/resource';
import { columnList } from './column-list.js';

/** Every function as Markdown: its purpose, its callers, its arguments and the names of its results. */
export const functionsReference = (all: readonly FunctionDefinition[]): string =>
  [...all]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(referenceOf)
    .join('\n\n');

function referenceOf(definition: FunctionDefinition): string {
  const { name, description } = definition;
  return [
    `## ${name}`,
    description,
    conditionsOf(definition),
    ...argumentsOf(definition),
    resultOf(definition),
  ].join('\n\n');
}

function conditionsOf(definition: FunctionDefinition): string {
  const { effect, needsSession, roles } = definition;
  const callers = practiceRoles.every((role) => roles.includes(role)) ? 'all' : roles.join(', ');
  return [
    `Roles: ${callers}.`,
    ...(effect === 'reads' ? ['Reads.'] : []),
    ...(needsSession === true && !takesProof(definition) ? ['Needs a session.'] : []),
    ...(takesProof(definition) ? ['Takes a proof.'] : []),
  ].join(' ');
}

/** The two arguments that replace a recent sign-in. The head of the page explains them once. */
const PROOF = ['current_password', 'nonce'];

const takesProof = ({ arguments: given }: FunctionDefinition): boolean =>
  PROOF.every((name) => Object.hasOwn(given, name));

function argumentsOf(definition: FunctionDefinition): string[] {
  const hidden = takesProof(definition) ? PROOF : [];
  const shown = entries(definition.arguments).filter(([name]) => !hidden.includes(name));
  return shown.length === 0 ? [] : [columnList(shown)];
}

function resultOf({ returns }: FunctionDefinition): string {
  if (returns.kind === 'nothing') return 'Returns nothing (204).';
  const names = Object.keys(returns.columns).map((name) => `\`${name}\``);
  return `Returns${returns.kind === 'rows' ? ' rows' : ''}: ${names.join(', ')}.`;
}
