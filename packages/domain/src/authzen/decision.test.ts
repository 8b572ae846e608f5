import { expect, test } from 'vitest';
import { SOD_POLICY_LEVELS } from '../policies/model.ts';
import { countsFrom } from './decision.ts';

test.each([
  ['LOW', ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']],
  ['MEDIUM', ['CRITICAL', 'HIGH', 'MEDIUM']],
  ['HIGH', ['CRITICAL', 'HIGH']],
  ['CRITICAL', ['CRITICAL']],
] as const)('from %s on, violations of %j count', (fromLevel, counted) => {
  expect(SOD_POLICY_LEVELS.filter((level) => countsFrom(fromLevel)({ level })).toSorted()).toEqual(counted.toSorted());
});
