import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { lockoutEntries, networkEntries, sessionEntries } from './administration/sign-in-settings.ts';
import { uiOrigins, uiText } from './administration/ui-metadata.ts';

const id = v.literal('tenant');

/** The schemas of an upsert of the settings, of which a tenant has one record each. What is left out is reset. */
export const settingRecords = {
  uiMetadata: closedObject({
    kind: v.literal('uiMetadata'),
    id,
    iFrameWhitelist: uiOrigins,
    usernameLabel: uiText,
    usernameEmptyText: uiText,
  }),
  lockoutConfig: closedObject({ kind: v.literal('lockoutConfig'), id, ...partial(lockoutEntries) }),
  sessionConfig: closedObject({ kind: v.literal('sessionConfig'), id, ...partial(sessionEntries) }),
  networkConfig: closedObject({ kind: v.literal('networkConfig'), id, ...partial(networkEntries) }),
};

/** Properties that may be left out. */
function partial<E extends v.ObjectEntries>(entries: E): { [K in keyof E]: v.ExactOptionalSchema<E[K], undefined> } {
  const optional = Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema)] as const);
  return Object.fromEntries(optional) as { [K in keyof E]: v.ExactOptionalSchema<E[K], undefined> };
}
