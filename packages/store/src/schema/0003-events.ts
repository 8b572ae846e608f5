import { type Columns, createTable, type Engine } from './columns.ts';

/** The tables of events. */
export const EVENT_TABLES = {
  /** What has happened in a tenant, numbered without gaps in the order of commits. The long `data` comes last. */
  event: {
    tenant: 'text',
    sequence: 'bigint',
    id: 'text',
    type: 'text',
    subject: 'text',
    time: 'text',
    /** JSON: the resource as it was; null where it is read from the resource, which never changes. */
    data: 'text?',
  },
  /** The last event of each tenant, and the last that was removed. Appending locks this row until the commit. */
  event_head: {
    tenant: 'text',
    sequence: 'bigint',
    removed_to: 'bigint',
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Creates the tables of events. */
export const eventsMigration = (engine: Engine): readonly string[] => [
  createTable(engine, 'event', [EVENT_TABLES.event, 'primary key (tenant, sequence)']),
  createTable(engine, 'event_head', [EVENT_TABLES.event_head, 'primary key (tenant)']),
];
