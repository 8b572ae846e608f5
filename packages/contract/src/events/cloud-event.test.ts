import { EVENT_TYPE_NAMES } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../operations/table.ts';
import { writeCloudEvent, writeTestEvent } from './cloud-event.ts';
import { subjectOf, subjectPattern } from './resources.ts';

const ID = '0199b1d2-7c1a-4f0e-9c59-2f6b1f0a1c11';
const TIME = '2027-01-01T00:00:00.000Z';
const SOURCE = 'https://acme.example';

describe('an event', () => {
  test('is a CloudEvent that names its resource by path', () => {
    const event = {
      sequence: 7,
      id: ID,
      type: 'sod.check.completed',
      resourceId: 'r-1',
      time: TIME,
      data: '{"a":1}',
    } as const;
    expect(writeCloudEvent(event, SOURCE)).toBe(
      `{"specversion":"1.0","id":"${ID}","source":"${SOURCE}","type":"org.access-admin.sod.check.completed.v1",` +
        `"subject":"/sod-violations/v1/check/r-1","time":"${TIME}","datacontenttype":"application/json",` +
        `"dataschema":"${SOURCE}/openapi.json#/components/schemas/SodCheck","sequence":"00000000000000000007","data":{"a":1}}`,
    );
  });

  test('for a webhook to try has no sequence and no schema', () => {
    expect(writeTestEvent({ id: ID, webhookId: 'w-1', time: TIME, data: 'null' }, SOURCE)).toBe(
      `{"specversion":"1.0","id":"${ID}","source":"${SOURCE}","type":"org.access-admin.webhook.test.v1",` +
        `"subject":"/webhooks/v1/w-1","time":"${TIME}","datacontenttype":"application/json","data":null}`,
    );
  });
});

describe('the subject of an event', () => {
  test('is the path of its resource, or of all of its kind', () => {
    expect(subjectOf('sign-in.locked', 'ada')).toBe('/auth-users/v1/ada');
    expect(subjectOf('sign-in.locked', null)).toBe('/auth-users/v1');
    expect(subjectOf('access-model.imported', null)).toBe('/access-model/v1/export');
    expect(subjectOf('ui-metadata.changed', 'tenant')).toBe('/ui-metadata/v1/tenant');
    expect(subjectOf('sod.policy.created', '$& {id}')).toBe('/sod-policies/v1/$& {id}');
  });

  test.each(EVENT_TYPE_NAMES)('of %s is what an operation reads', (type) => {
    const readable = OPERATIONS.filter(({ method }) => method === 'GET').map(({ path }) =>
      path.replace(/\{[^}]+\}/g, '{id}'),
    );
    expect(readable).toContain(subjectPattern(type));
  });
});
