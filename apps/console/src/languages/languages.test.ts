import { definePageTexts, findTextFaults, type PageTexts } from '@access-admin/languages';
import { expect, test } from 'vitest';
import { SENTENCE_TEXTS } from '../audit-log/sentences/catalogue.ts';
import { CATALOGUES as COMMON } from './load.ts';

const CATALOGUES = Object.entries(
  import.meta.glob<Readonly<Record<string, PageTexts<string>>>>(['../**/{,*-}texts.ts', '!./texts.ts'], {
    eager: true,
  }),
);

test('the languages of every catalogue have the same keys and values, and their own plural forms', () => {
  expect(CATALOGUES.length).toBeGreaterThan(20);
  expect(
    CATALOGUES.flatMap(([file, exported]) =>
      Object.values(exported).flatMap((texts) => findTextFaults(texts).map((fault) => `${file}: ${fault}`)),
    ),
  ).toEqual([]);
});

test('so have the texts that the whole console shares', async () => {
  const [en, de, vi] = await Promise.all([COMMON.en(), COMMON.de(), COMMON.vi()]);
  expect(findTextFaults(definePageTexts({ en, de, vi }))).toEqual([]);
});

test('so have the sentences of the audit log', async () => {
  const [en, de, vi] = await Promise.all([SENTENCE_TEXTS('en'), SENTENCE_TEXTS('de'), SENTENCE_TEXTS('vi')]);
  expect(findTextFaults(definePageTexts({ en, de, vi }))).toEqual([]);
});
