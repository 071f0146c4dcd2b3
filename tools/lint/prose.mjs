// Lint rules for wording: `plain-english` checks comments and strings, `own-words` checks names.

import { relative } from 'node:path';
import { fileNames, identifierWords, phrases } from './words.mjs';

/**
 * The phrases in a text that should be worded differently.
 * @param {string} text
 * @returns {{ index: number, found: string, instead: string }[]}
 */
export function findings(text) {
  return phrases.flatMap(({ pattern, instead }) => {
    const match = pattern.exec(text);
    return match ? [{ index: match.index, found: match[0].trim(), instead }] : [];
  });
}

const message = 'Plain English: instead of "{{found}}", {{instead}}.';

const plainEnglish = {
  meta: { type: 'suggestion', schema: [], messages: { phrase: message } },
  create(context) {
    const check = (node, text) => {
      for (const { found, instead } of findings(text))
        context.report({ node, loc: node.loc, messageId: 'phrase', data: { found, instead } });
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, textOf(comment.value));
      },
      Literal(node) {
        // A text without a space is a name, not prose.
        if (typeof node.value === 'string' && node.value.includes(' ')) check(node, node.value);
      },
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
    };
  },
};

/** A comment's text without the asterisks at the beginnings of lines. */
const textOf = (comment) =>
  comment
    .replace(/^\s*\*+ ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

const ownWords = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { name: '"{{word}}" is a word of our own; docs/glossary.md has the usual term.' },
  },
  create(context) {
    const seen = new Set();
    return {
      Program(node) {
        const path = relative(context.cwd, context.filename).split(/[\\/]/);
        const word = path.map((part) => part.replace(/\..*$/, '')).find((part) => fileNames.has(part));
        if (word) context.report({ node, loc: { line: 1, column: 0 }, messageId: 'name', data: { word } });
      },
      Identifier(node) {
        if (seen.has(node.name)) return;
        seen.add(node.name);
        const word = wordsOf(node.name).find((part) => identifierWords.has(part));
        if (word) context.report({ node, messageId: 'name', data: { word } });
      },
    };
  },
};

const wordsOf = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');

export default { meta: { name: 'prose' }, rules: { 'plain-english': plainEnglish, 'own-words': ownWords } };
