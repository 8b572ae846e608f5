import { EVENT_TYPE_NAMES } from '@access-admin/domain';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { wireTypeOf } from '../events/cloud-event.ts';
import { EVENT_DATA_SCHEMAS } from '../events/resources.ts';
import { createAsyncApiDocument } from './async-document.ts';
import { createOpenApiDocument } from './document.ts';
import { ANSWERS } from './examples.ts';

const document = JSON.parse(JSON.stringify(createAsyncApiDocument('https://{tenant}.example.com/base')));

describe('the AsyncAPI document', () => {
  test('has one message for each type of event', () => {
    expect(document.asyncapi).toBe('3.0.0');
    expect(Object.keys(document.components.messages)).toEqual([...EVENT_TYPE_NAMES]);
    expect(Object.keys(document.channels.events.messages)).toEqual([...EVENT_TYPE_NAMES]);
    for (const type of EVENT_TYPE_NAMES)
      expect(document.components.messages[type].payload.properties.type).toEqual({ const: wireTypeOf(type) });
  });

  test('has the schema of the data of each type, as the OpenAPI document has it', () => {
    const { schemas } = Object(createOpenApiDocument('https://a.example')).components;
    for (const type of EVENT_TYPE_NAMES) {
      const dataSchema = EVENT_DATA_SCHEMAS[type];
      expect([dataSchema, typeof schemas[dataSchema]]).toEqual([dataSchema, 'object']);
      expect(JSON.stringify(document.components.messages[type])).toContain(`#/components/schemas/${dataSchema}"`);
    }
  });

  test('refers only to what it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.length).toBeGreaterThan(2 * EVENT_TYPE_NAMES.length);
    for (const path of new Set(references)) {
      const found = path.split('/').reduce((value, name) => value?.[name], document);
      expect([path, typeof found]).toEqual([path, 'object']);
    }
  });

  test('says where the service is', () => {
    const variables = { tenant: { default: 'default', description: 'The tenant.' } };
    expect(document.servers.service).toEqual({
      host: '{tenant}.example.com',
      protocol: 'https',
      pathname: '/base',
      variables,
    });
  });

  test('describes a real event', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'events', components: document.components });
    const validate = ajv.compile({ $ref: 'events#/components/messages/access-model.imported/payload' });
    const [event] = ANSWERS['list-events-v1'] as readonly object[];
    expect([validate(event), validate.errors]).toEqual([true, null]);
    expect(validate({ ...event, data: { other: true } })).toBe(false);
  });
});
