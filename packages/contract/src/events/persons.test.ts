import { isPersonRecord, PERSON_IDS } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { namedSchemas } from '../openapi/named-schemas.ts';
import { OPERATIONS } from '../operations/table.ts';

type Json = Readonly<Record<string, unknown>>;

/** The properties of each object that a schema describes. */
function* objectsIn(schema: unknown): Generator<Json> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = Object(schema);
  if (typeof properties === 'object') yield properties;
  for (const part of Object.values(schema)) yield* objectsIn(part);
}

const described = () =>
  Object.entries(namedSchemas()).flatMap(([name, schema]) =>
    [...objectsIn(schema)].map((properties) => ({ name, properties })),
  );

/** The properties with ids of something else than an identity. */
const OTHER_IDS = [
  'applicationId',
  'clientId',
  'eventId',
  'exceptionId',
  'externalId',
  'identityProfileId',
  'loadId',
  'policyId',
  'policyIds',
  'reportId',
  'requestId',
  'reservationId',
  // Of an audit filter and of a delivery, beside a type.
  'resourceId',
  'trackingId',
  'workflowID',
];

test('each property with ids is known as one of persons or of something else, so that an erasure finds the persons', () => {
  expect(Object.keys(OPERATIONS).length).toBeGreaterThan(0);
  const names = new Set(described().flatMap(({ properties }) => Object.keys(properties)));
  const ids = [...names].filter((name) => /ids?$/i.test(name) && !['id', 'uid'].includes(name));
  expect(ids.filter((name) => !PERSON_IDS.has(name)).toSorted()).toEqual(OTHER_IDS);
  // That of a violation is in the audit log alone.
  expect([...PERSON_IDS].filter((name) => !names.has(name))).toEqual(['ownerId']);
});

test('an object with an id and no type is known as a person by its name to display', () => {
  const untyped = described().filter(({ properties }) => 'id' in properties && !('type' in properties));
  const persons = untyped.filter(({ properties }) => isPersonRecord(properties)).map(({ name }) => name);
  expect(persons.toSorted()).toEqual([
    'AddedFactor',
    'Authuser',
    'CapabilitiesChange',
    'CreateIdentityRequest',
    'ExportedIdentity',
    'Identity',
    'IdentityFields',
    'IdentityRecord',
    // A line of a load, which names its source. No event and no answer has it.
    'LoadAccountRecord',
    'SignInEvent',
  ]);
});
