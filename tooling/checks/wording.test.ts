import { expect, test } from 'vitest';
import { FILES, findLines } from './repository.ts';

const texts = FILES.filter((path) => path !== 'pnpm-lock.yaml' && path !== 'LICENSE');

test('no file names a path of a particular machine', () => {
  // SCIM has a path `/Users`, which ends with an id.
  expect(findLines(texts, /(^|[^\w.@-])\/((work|farm|root|home|tmp)\/\w|Users\/\w+\/)/)).toEqual([]);
});

test('no file names the host of a registry', () => {
  expect(findLines(texts, /https?:\/\/registry[.]|registry[.]npmjs|registry[.]yarnpkg|deb[.]debian/)).toEqual([]);
});

test('the lockfile names no host at all', () => {
  expect(findLines(['pnpm-lock.yaml'], /https?:\/\//)).toEqual([]);
});

test('the repository speaks of the product alone', () => {
  // What builds a test cluster may lie beside the checkout.
  const inside =
    /[.][.]\/shared\b(?!\/citus$)|\bspec\/contract|contract[.]md\b|DEVELOPERS[.]md|\bCEO\b|\bsub-?agents?\b|\bthe brief\b|\bLLM\b/;
  expect(findLines(texts, inside)).toEqual([]);
});

test('no file holds a note of unfinished work', () => {
  const loose = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)|\.only\(/;
  const code = texts.filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.endsWith('wording.test.ts'));
  expect(findLines(code, loose)).toEqual([]);
});
