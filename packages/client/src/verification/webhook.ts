import type { CloudEvent } from '@access-admin/contract';
import { VerificationError } from '../errors.ts';
import { type Runtime, systemRuntime } from '../http/runtime.ts';
import { type Bytes, fromBase64, fromJson, fromUtf8, utf8 } from './bytes.ts';

/** An event of the service, as webhooks and the feed of events carry it: CloudEvents 1.0, structured JSON. */
export interface ServiceEvent<Data = unknown> extends CloudEvent {
  readonly data: Data;
}

/** Headers as `fetch` and its relatives have them, or as an object, such as `request.headers` of Node. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A received webhook, and what it is verified with. */
export interface VerifyWebhookOptions {
  /** The body as it was received: parsing and writing it again would change it. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: WebhookHeaders;
  /** The secrets of the webhook, `whsec_…`: while it is rotated, the new one and the old one. */
  readonly secrets: string | readonly string[];
  /** How far its timestamp may differ from the clock, in seconds: 300 if left out. */
  readonly toleranceSeconds?: number | undefined;
}

/** Why a webhook does not verify. */
export type WebhookFault =
  | 'missing header'
  | 'malformed timestamp'
  | 'too old'
  | 'too new'
  | 'malformed secret'
  | 'bad signature'
  | 'malformed body';

const fail = (message: string, reason: WebhookFault): never => {
  throw new VerificationError(message, reason);
};

/** Verifies webhooks by a clock. */
export async function verifyWebhookOn<Event = ServiceEvent>(
  { now }: Pick<Runtime, 'now'>,
  { body, headers, secrets, toleranceSeconds = 300 }: VerifyWebhookOptions,
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) fail('webhook-timestamp is not a number of seconds.', 'malformed timestamp');
  const ageSeconds = Math.floor(now() / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) fail('The webhook is too old: it may be replayed.', 'too old');
  if (ageSeconds < -toleranceSeconds) fail('The webhook is of the future: compare the clocks.', 'too new');
  const bytes = bytesOf(body);
  const signed = joined(utf8(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, [secrets].flat(), signatures)))
    fail('No signature is that of a secret: the webhook is forged, or was changed on its way.', 'bad signature');
  const event = fromJson(fromUtf8(bytes));
  return event === undefined ? fail('The body is not JSON.', 'malformed body') : (event as Event);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers['get'] === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return value == null || value === '' ? fail(`The header ${name} is missing.`, 'missing header') : String(value);
}

function bytesOf(body: VerifyWebhookOptions['body']): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('body must be the received text or bytes, not what was parsed from them');
}

function joined(start: Bytes, end: Uint8Array): Bytes {
  const all = new Uint8Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  return all;
}

async function isSigned(content: Bytes, secrets: readonly string[], signatures: readonly string[]): Promise<boolean> {
  const given = signatures.filter((each) => each.startsWith('v1,')).map((each) => fromBase64(each.slice('v1,'.length)));
  if (secrets.length === 0) fail('There is no secret to verify with.', 'malformed secret');
  let isFound = false;
  for (const secret of secrets) {
    const expected = await sign(content, secret);
    for (const signature of given) if (signature !== null && areEqual(expected, signature)) isFound = true;
  }
  return isFound;
}

async function sign(content: Bytes, secret: string): Promise<Uint8Array> {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (key === null || key.length === 0) return fail('A secret is not whsec_ and base64.', 'malformed secret');
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return new Uint8Array(
    await subtle.sign('HMAC', await subtle.importKey('raw', key, algorithm, false, ['sign']), content),
  );
}

/** Takes the same time wherever they differ. */
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0);
  return difference === 0;
}

/**
 * Verifies a received webhook (Standard Webhooks) and resolves with its event. Rejects with a `VerificationError` whose `reason`
 * is a `WebhookFault`. An event may be delivered again: remember its `id` or its `sequence`.
 */
export const verifyWebhook = <Event = ServiceEvent>(options: VerifyWebhookOptions): Promise<Event> =>
  verifyWebhookOn(systemRuntime, options);
