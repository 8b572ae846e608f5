import { expect, test } from 'vitest';
import { concernsOf } from './live.ts';

test.each([
  ['org.access-admin.sod.violation.opened.v1', ['violations']],
  ['org.access-admin.sod.policy.updated.v1', ['policies', 'violations']],
  ['org.access-admin.sod.exception.approved.v1', ['exceptions', 'violations']],
  ['org.access-admin.sod.report.completed.v1', ['reports']],
  ['org.access-admin.sod.check.completed.v1', ['checks']],
  ['org.access-admin.auth-user.capabilities-changed.v1', ['people', 'session']],
  ['org.access-admin.sign-in.locked.v1', ['people']],
  ['org.access-admin.access-model.imported.v1', ['everything']],
])('an event of type %s concerns %j', (type, concerns) => {
  expect(concernsOf(type)).toEqual(concerns);
});
