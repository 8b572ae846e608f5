import { describe, expect, test } from 'vitest';
import type { Campaign } from '../campaign/campaign.ts';
import { parseArguments, usageOf } from './parse-arguments.ts';

const never = () => Promise.reject(new Error('not run here'));
const campaign = (id: string, unit: string, engines: Campaign['engines']): Campaign => ({
  id,
  title: `what ${id} does`,
  unit,
  full: 200,
  short: 30,
  engines,
  run: never,
  control: never,
});
const KNOWN = [campaign('F1', 'kills', ['sqlite', 'postgres']), campaign('F2', 'images', ['sqlite'])];
const IDS = ['F1', 'F2'];

test('without arguments all campaigns are run, each on each of its engines', () => {
  expect(parseArguments([], KNOWN)).toEqual({
    ok: true,
    value: {
      ids: IDS,
      parts: {},
      engine: null,
      seed: null,
      counts: {},
      short: false,
      control: false,
      from: null,
      json: null,
    },
  });
});

test('campaigns, engine, seed, counts and flags are read', () => {
  const line = 'F1 --kills 7 --seed 0 --engine postgres --short --control --from v1 --json out.json';
  expect(parseArguments(line.split(' '), KNOWN)).toEqual({
    ok: true,
    value: {
      ids: ['F1'],
      parts: {},
      engine: 'postgres',
      seed: 0,
      counts: { kills: 7 },
      short: true,
      control: true,
      from: 'v1',
      json: 'out.json',
    },
  });
});

test('parts of a campaign are read', () => {
  const known = [...KNOWN, { ...campaign('N1', 'seconds', ['sqlite']), parts: ['1', '2', '3'] }];
  expect(parseArguments(['N1.3', 'F1', 'N1.1'], known)).toMatchObject({
    ok: true,
    value: { ids: ['F1', 'N1'], parts: { N1: ['3', '1'] } },
  });
  expect(parseArguments(['N1.4'], known)).toMatchObject({ ok: false, failure: 'there is no campaign N1.4' });
  expect(parseArguments(['F1.1'], known)).toMatchObject({ ok: false, failure: 'there is no campaign F1.1' });
});

test('an engine without campaigns selects all campaigns', () => {
  expect(parseArguments(['--engine', 'postgres'], KNOWN)).toMatchObject({ ok: true, value: { ids: IDS } });
});

describe('refused', () => {
  test.each([
    ['an unknown campaign', ['F9'], 'there is no campaign F9'],
    ['an id in lower case', ['f1'], 'there is no campaign f1'],
    ['an unknown option', ['--fast'], "Unknown option '--fast'"],
    ['an unknown engine', ['--engine', 'mysql'], '--engine is one of sqlite, postgres'],
    ['an engine that a named campaign does not run on', ['F2', '--engine', 'postgres'], 'F2 does not run on postgres'],
    ['a seed that is no number', ['--seed', '7x'], '--seed is a whole number'],
    ['a seed beyond 32 bits', ['--seed', '4294967296'], '--seed is a whole number'],
    ['a count of zero', ['--kills', '0'], '--kills is a whole number'],
    ['a negative count', ['--kills=-1'], '--kills is a whole number'],
    ['a unit that no campaign asked for counts', ['F2', '--kills', '3'], 'no campaign asked for counts kills'],
    ['an option without its value', ['--json'], "'--json <value>' argument missing"],
  ])('%s', (_, args, failure) => {
    const parsed = parseArguments(args, KNOWN);
    expect(parsed).toMatchObject({ ok: false, failure: expect.stringContaining(failure) });
  });
});

test('the usage names each campaign with its unit and its counts', () => {
  expect(usageOf(KNOWN)).toContain('F1  what F1 does (--kills 200, short 30; sqlite, postgres)');
});
