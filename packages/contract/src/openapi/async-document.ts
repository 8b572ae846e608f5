import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, RIGHTS_TO_READ } from '@access-admin/domain';
import manifest from '../../package.json' with { type: 'json' };
import { wireTypeOf } from '../events/cloud-event.ts';
import { EVENT_DATA_SCHEMAS, subjectPattern } from '../events/resources.ts';
import { eventSchema, namedSchemas } from './named-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** The AsyncAPI 3.0 document of the events, made from the table of their types. */
export function createAsyncApiDocument(baseAddress: string): Json {
  const schemas = namedSchemas();
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'access-admin events',
      version: manifest.version,
      description: 'What happens in a tenant, as CloudEvents 1.0: read by pages or as a stream of server-sent events.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/cloudevents+json',
    servers: { service: serverOf(baseAddress) },
    channels: {
      events: {
        address: '/events/v1',
        description: 'The events of the tenant in the order of their sequence, those that the caller may see.',
        messages: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    },
    operations: {
      sendEvents: {
        action: 'send',
        channel: { $ref: '#/channels/events' },
        summary: 'The service tells what happens.',
      },
    },
    components: {
      messages: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, messageOf(type)])),
      schemas,
    },
  };
}

function serverOf(baseAddress: string): Json {
  const [protocol = '', rest = ''] = baseAddress.split('://');
  const [host = '', ...path] = rest.split('/');
  return {
    host,
    protocol,
    ...(path.length === 0 ? {} : { pathname: `/${path.join('/')}` }),
    ...(host.includes('{tenant}') ? { variables: { tenant: { default: 'default', description: 'The tenant.' } } } : {}),
  };
}

function messageOf(type: EventType): Json {
  const { resource, summary } = EVENT_TYPES[type];
  const data = {
    anyOf: [EVENT_DATA_SCHEMAS[type], 'EventReference'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  };
  const { scopes } = RIGHTS_TO_READ[resource];
  return {
    name: type,
    title: wireTypeOf(type),
    summary,
    description: `Subject: ${subjectPattern(type)}. Seen by callers with the scope ${scopes.join(' or ')}.`,
    contentType: 'application/cloudevents+json',
    payload: eventSchema({ type: { const: wireTypeOf(type) }, data }),
  };
}
