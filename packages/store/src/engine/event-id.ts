import { randomUUID } from 'node:crypto';

/** A new id of a mail or an event, which also tells events of a restored database from earlier ones with the same number. */
export const newEventId = (): string => randomUUID();
