import { openService, type RunningApi, type Service } from '@access-admin/harness';
import { identityId, type World } from '../world/create-world.ts';

/** Records of one import; well below its limit of 16 MiB. */
const IMPORT_LENGTH_MAX = 8_000_000;

/** A service, on a SQLite file of its own unless a database is given, that has imported a world. Disposing of it ends its processes. */
export interface ServedWorld extends AsyncDisposable {
  readonly service: Service;
  readonly api: RunningApi;
  readonly port: number;
}

export async function serveWorld(world: Omit<World, 'questions'>, databaseUrl?: string): Promise<ServedWorld> {
  const service = openService(databaseUrl === undefined ? {} : { databaseUrl });
  const api = await service.startApi();
  let text = '';
  for (const record of recordsOf(world)) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length < IMPORT_LENGTH_MAX) continue;
    await api.client.accessModel.import(text);
    text = '';
  }
  await api.client.accessModel.import(text);
  const port = Number(new URL(api.baseAddress).port);
  return { service, api, port, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

function* recordsOf({ catalogue, policies, held }: Omit<World, 'questions'>): Generator<object> {
  for (const entitlement of catalogue.entitlements) yield { kind: 'entitlement', ...entitlement };
  for (const { created: _, modified: __, ...policy } of policies) yield { kind: 'sodPolicy', ...policy };
  yield { kind: 'identityProfile', id: 'employees', name: 'Employees' };
  for (const [number, access] of held.entries())
    yield { kind: 'identity', id: identityId(number), uid: identityId(number), identityProfile: 'employees', access };
}
