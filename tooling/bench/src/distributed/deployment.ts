import { type AccessAdminClient, createClient } from '@access-admin/client';
import { openRowReader, type RowReader, type ServiceOptions } from '@access-admin/harness';
import type { Target } from '../load/predict-request.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { requestToken } from '../servers/request-token.ts';
import { catalogue, personOf } from '../size/company.ts';

const TENANTS = 4;
const POLICIES = 100;
/** The people that each tenant has from the start, numbered from 0 on. */
export const PEOPLE = 1_000;
export const ASSIGNMENTS = 20;

/** A tenant of a deployment, with a catalogue, policies and people. */
export interface MeasuredTenant {
  readonly name: string;
  readonly client: AccessAdminClient;
  readonly target: Target;
}

/** API and worker with several tenants. Disposing of it ends its processes. */
export interface Deployment extends AsyncDisposable {
  readonly port: number;
  readonly tenants: readonly MeasuredTenant[];
  readonly reader: RowReader;
  /** Takes numbers of people that the tenants do not have yet. */
  takeNumbers(count: number): readonly number[];
}

/** Identities without a violation. */
export const peopleOf = (numbers: readonly number[]) =>
  numbers.map((number) => personOf(number, { assignments: ASSIGNMENTS }));

export async function openDeployment(options: ServiceOptions & { readonly databaseUrl: string }): Promise<Deployment> {
  const service = openMeasuredService(options);
  const { client: first, baseAddress } = await service.startApi();
  service.startWorker();
  const port = Number(new URL(baseAddress).port);
  const reader = await openRowReader(options.databaseUrl);
  const tenants: MeasuredTenant[] = [];
  for (let number = 0; number < TENANTS; number++) {
    const tenant = `tenant-${number}`;
    const { id: clientId, secret: clientSecret } = await first.oauthClients.create({
      name: tenant,
      tenant,
      scopes: ['access-model:manage', 'events:read', 'sod-policies:manage', 'sod-violations:manage'],
    });
    const client = createClient({ baseAddress, clientId, clientSecret });
    await client.accessModel.import(catalogue(POLICIES));
    await client.accessModel.import(peopleOf(Array.from({ length: PEOPLE }, (_, at) => at)));
    tenants.push({
      name: tenant,
      client,
      target: { port, token: await requestToken(baseAddress, { clientId, clientSecret }) },
    });
  }
  let next = PEOPLE;
  return {
    port,
    tenants,
    reader,
    takeNumbers: (count) => Array.from({ length: count }, () => next++),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await reader[Symbol.asyncDispose]();
    },
  };
}
