import { expect, test } from 'vitest';
import { FILES, findLines } from './repository.ts';

const texts = FILES.filter((path) => path !== 'pnpm-lock.yaml' && path !== 'LICENSE');

test('nothing names a path of one machine', () => {
  expect(findLines(texts, /(^|[^\w.@-])\/(work|farm|root|home|Users|tmp)\/\w/)).toEqual([]);
});

test('nothing names the host of a registry', () => {
  expect(findLines(texts, /https?:\/\/registry[.]|registry[.]npmjs|registry[.]yarnpkg|deb[.]debian/)).toEqual([]);
});

test('the lockfile names no host at all', () => {
  expect(findLines(['pnpm-lock.yaml'], /https?:\/\//)).toEqual([]);
});

test('the repository speaks of the product alone', () => {
  const inside =
    /[.][.]\/shared\b|\bspec\/contract|contract[.]md\b|DEVELOPERS[.]md|\bCEO\b|\bsub-?agents?\b|\bthe brief\b|\bLLM\b/;
  expect(findLines(texts, inside)).toEqual([]);
});

test('nothing is left undone in passing', () => {
  const loose = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)|\.only\(/;
  const code = texts.filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith('wording.test.ts'));
  expect(findLines(code, loose)).toEqual([]);
});
