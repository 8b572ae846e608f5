import { defineTable } from '../definition/define-table.ts';

/** A value by which a key is recognized. */
export interface KeyCheck {
  readonly salt: string;
  readonly checkValue: string;
  readonly created: string;
}

/** The row of the key that is in use. */
export const KEY_IN_USE = 'current';

/** Reads the check of a database that is not opened as a store. */
export const KEY_CHECK_QUERY = `select salt, check_value as "checkValue", created from secret_key where name = '${KEY_IN_USE}'`;

/** How the key with which secrets are encrypted is recognized. */
export const secretKey = defineTable({
  name: 'secret_key',
  columns: {
    name: 'text',
    salt: 'text',
    check_value: 'text',
    created: 'text',
  },
  key: 'name',
});
