import type { ApiRequest } from './transport.ts';

/** The body of a request that is a JSON value. */
export const jsonBody = (value: unknown): NonNullable<ApiRequest['body']> => ({
  type: 'application/json',
  text: JSON.stringify(value),
});
