import type { SignInDryRun } from '@access-admin/contract';
import { AccessAdminError } from '../errors.ts';
import type { JsonPatch } from './json-patch.ts';
import { createResourceCall, type ResourceCall } from './resource-call.ts';
import type { CallOptions, Transport } from './transport.ts';
import { resourcePath } from './url.ts';

/** Options of writes of versioned resources. */
export interface WriteOptions extends CallOptions {
  /**
   * Writes only if the resource still has this version, else rejects with a `PreconditionFailedError`. Makes a patch
   * safe to repeat. After a repeat, that error can also mean that the first attempt took effect: read again.
   */
  readonly ifMatch?: string;
}

/** The address of a resource. */
export interface ResourceAddress {
  /** Path of its group. */
  readonly group: string;
  readonly id: string;
  readonly experimental: boolean;
}

/** From where the sign-ins of a dry-run come. */
export interface DryRunOptions extends WriteOptions {
  /** An IPv4 or IPv6 address; that of the caller if left out. */
  readonly ip?: string;
  /** Two capital letters; if left out, that of `ip` where the service knows it, otherwise that of the caller. */
  readonly country?: string;
}

/** Reads one versioned resource. */
export function getResource<T>(
  transport: Transport,
  { group, id, experimental }: ResourceAddress,
  options: CallOptions | undefined,
): ResourceCall<T> {
  const send = async () => transport.call<T>({ method: 'GET', path: resourcePath(group, id), experimental, options });
  return createResourceCall(send());
}

/** Patches one versioned resource. */
export function patchResource<T>(
  transport: Transport,
  { group, id, experimental }: ResourceAddress,
  { operations, options }: { readonly operations: JsonPatch; readonly options: WriteOptions | undefined },
): ResourceCall<T> {
  const send = async () =>
    transport.call<T>({
      method: 'PATCH',
      path: resourcePath(group, id),
      headers: ifMatchHeader(options),
      body: { type: 'application/json-patch+json', text: JSON.stringify(operations) },
      experimental,
      // Without a version, a repeat could undo what another caller wrote in between.
      repeatable: options?.ifMatch !== undefined,
      options,
    });
  return createResourceCall(send());
}

/** Asks what a patch would do to sign-ins. Nothing changes, so it may be repeated. */
export async function tryPatch(
  transport: Transport,
  { group, id, experimental }: ResourceAddress,
  { operations, options }: { readonly operations: JsonPatch; readonly options: DryRunOptions | undefined },
): Promise<SignInDryRun> {
  const { ip, country } = options ?? {};
  const tried = await transport.call<SignInDryRun>({
    method: 'PATCH',
    path: resourcePath(group, id),
    query: { dryRun: true, ip, country },
    headers: ifMatchHeader(options),
    body: { type: 'application/json-patch+json', text: JSON.stringify(operations) },
    experimental,
    repeatable: true,
    options,
  });
  return tried.value;
}

/** The header of a conditional write. Throws for a value that no header can contain. */
export function ifMatchHeader(options: WriteOptions | undefined): Readonly<Record<string, string>> {
  const { ifMatch } = options ?? {};
  if (ifMatch === undefined) return {};
  // The platform would throw a `TypeError` of its own.
  if (!/^[\x20-\x7e]+$/.test(ifMatch)) throw new AccessAdminError('ifMatch: not an ETag');
  return { 'if-match': ifMatch };
}
