import { randomUUID } from 'node:crypto';

/** The id of an identity that a source makes of an account whose own id is none. */
export const newIdentityId = (): string => randomUUID();
