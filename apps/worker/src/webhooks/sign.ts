import { createHmac } from 'node:crypto';

/** A message of Standard Webhooks. */
export interface SignedMessage {
  /** The id of the event. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature` after Standard Webhooks: one signature for each secret. */
export const signMessage = ({ id, timestamp, body }: SignedMessage, secrets: readonly Uint8Array[]): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
