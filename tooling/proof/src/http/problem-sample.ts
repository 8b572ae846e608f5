import type { Answer } from './read-answer.ts';

export const TRACKING_ID = '0123456789abcdef0123456789abcdef';

/** An answer of the service with a JSON body, for tests. */
export const jsonAnswer = (status: number, json: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: new Map(Object.entries({ 'x-request-id': TRACKING_ID, 'content-type': 'application/json', ...headers })),
  body: Buffer.from(json === null ? '' : JSON.stringify(json)),
});

const message = { locale: 'en-US', localeOrigin: 'DEFAULT', text: 'No.' };

/** A cause in the common error shape, for tests. */
export const cause = (detailCode: string) => ({ ...message, detailCode });

/** A body in the common error shape, for tests. */
export const problem = (detailCode: string, change: object = {}) => ({
  detailCode,
  trackingId: TRACKING_ID,
  messages: [message],
  causes: [],
  ...change,
});
