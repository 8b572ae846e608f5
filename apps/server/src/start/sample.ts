import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AccessAdminClient, ApiError, type NewAccess, type ViolationPrediction } from '@access-admin/client';
import type { Addresses } from './addresses.ts';
import { connectLocally } from './local-client.ts';

/** A service with the client that its store knows. */
export interface Service {
  readonly addresses: Addresses;
  readonly client: AccessAdminClient;
}

/** The files of the sample. */
export interface Sample {
  readonly folder: string;
  /** A request that the sample answers with a violation, in JSON. */
  readonly demoRequest: string;
  /** The ids of people with the roles of an access office. */
  readonly people: { readonly administrator: string; readonly requester: string; readonly approver: string };
}

const LINK_HOURS = 24;
const DAY_MS = 86_400_000;

/** Reads the sample from its folder. */
export function readSample(folder: string): Sample {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { folder, demoRequest: read('demo-request.json').trim(), people: JSON.parse(read('people.json')) };
}

/** Whether the tenant of the client has no records at all. */
export async function isEmpty({ client }: Service): Promise<boolean> {
  for await (const _ of client.accessModel.export()) return false;
  return true;
}

/** Imports the sample and requests its exceptions. Returns a line with the number of records. */
export async function loadSample(service: Service, sample: Sample, now: () => Date): Promise<string> {
  const lines = readFileSync(join(sample.folder, 'sample.ndjson'), 'utf8').trim().split('\n');
  const { counts } = await service.client.accessModel.import(lines.map((line) => JSON.parse(line)));
  await requestExceptions(service, sample, now);
  const { identity, entitlement, sodPolicy } = counts;
  return `access-admin: sample loaded: ${identity.created} identities, ${entitlement.created} entitlements, ${sodPolicy.created} SOD policies`;
}

/** An exception of the sample: for so many days, approved or only requested. */
interface SampleException {
  readonly policyId: string;
  readonly identityId: string;
  readonly justification: string;
  readonly days: number;
  readonly approved: boolean;
}

/** Requests the exceptions of the sample as its requester and approves some as its approver, by clients that are deleted afterwards. */
async function requestExceptions(service: Service, { folder, people }: Sample, now: () => Date): Promise<void> {
  const exceptions: readonly SampleException[] = JSON.parse(readFileSync(join(folder, 'exceptions.json'), 'utf8'));
  const requester = await createClientOf(service, people.requester);
  const approver = await createClientOf(service, people.approver);
  for (const { days, approved, ...subject } of exceptions) {
    const begin = now();
    const start = begin.toISOString();
    const end = new Date(begin.getTime() + days * DAY_MS).toISOString();
    const { id } = await requester.client.sodExceptions.create({ ...subject, start, end });
    if (approved) await approver.client.sodExceptions.approve(id);
  }
  for (const { id } of [requester, approver]) await service.client.oauthClients.delete(id);
}

/** A client that acts as an identity. */
async function createClientOf({ addresses, client }: Service, identityId: string) {
  const fresh = { name: `sample ${identityId}`, scopes: ['sod-exceptions:manage' as const], identityId };
  const { id, secret } = await client.oauthClients.create(fresh);
  return { id, client: connectLocally(addresses, { clientId: id, clientSecret: secret }) };
}

/** The response to the demo request; null when the sample is not in the store. */
export async function predictOnSample(
  { client }: Service,
  { demoRequest }: Sample,
): Promise<ViolationPrediction | null> {
  const request: NewAccess = JSON.parse(demoRequest);
  return client.sodViolations.predict(request).catch(nullIfRefused);
}

/**
 * A new link that signs the administrator of the sample in; null when the administrator has signed in before, or when the
 * operation refuses it.
 */
export async function signInLinkOfSample({ client }: Service, { people }: Sample): Promise<string | null> {
  const { administrator } = people;
  const filters = `resourceId eq "${administrator}" and operation eq "sign-in" and outcome eq "ALLOWED"`;
  const signIns = await client.auditEvents.page({ limit: 1, filters }).catch(nullIfRefused);
  if (signIns === null || signIns.items.length > 0) return null;
  const link = await client.authUsers.createSignInLink(administrator, { hours: LINK_HOURS }).catch(nullIfRefused);
  return link?.url ?? null;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
