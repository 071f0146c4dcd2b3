import { describe, expect, it } from '@jest/globals';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { problemFor } from '@practice/core';
import { listed, tools } from './server.js';
import { refusalResult } from './tool.js';

/** An upper bound of the tokens of usual tokenizers: one for four letters of a word, for three digits, and for each sign. */
const tokensOf = (text: string): number => (text.match(/[A-Za-z]{1,4}|\d{1,3}|[^A-Za-z\d\s]/g) ?? []).length;

/** Adjacent signs of JSON become one sign, since tokenizers make one token of them. */
const condensed = (text: string): string => text.replaceAll(/[{}[\]":,]+/g, ',');

describe('the tools', () => {
  it('have at most 5,000 tokens of text', () => {
    expect(tokensOf(condensed(JSON.stringify(tools.map(listed))))).toBeLessThan(5_000);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('have the definition of %s', (_, tool) => {
    expect(listed(tool)).toMatchSnapshot();
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('may refuse a call of %s', (_, tool) => {
    const { data } = refusalResult(problemFor('PM404'));
    const check = new AjvJsonSchemaValidator().getValidator(tool.output);
    expect(check(data)).toMatchObject({ valid: true });
  });

  it('reach this practice only', () => {
    expect(tools.map(({ annotations }) => annotations.openWorldHint)).toEqual(tools.map(() => false));
  });
});
