import type { RunningApi, Service } from '@access-admin/harness';
import { identityId, type World } from '../world/create-world.ts';
import { openMeasuredService } from './open-measured-service.ts';

/** Characters of one import, well below its limit of 16 MiB. */
const IMPORT_LENGTH_MAX = 8_000_000;

/** A service that has imported a world. Disposing of it ends its processes. */
export interface ServedWorld extends AsyncDisposable {
  readonly service: Service;
  readonly api: RunningApi;
  readonly port: number;
}

export async function serveWorld(
  world: Omit<World, 'questions'>,
  options: Parameters<typeof openMeasuredService>[0] = {},
): Promise<ServedWorld> {
  const service = openMeasuredService(options);
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
  for (const { created: _, modified: _modified, creatorId: _creatorId, modifierId: _modifierId, ...policy } of policies)
    yield { kind: 'sodPolicy', ...policy };
  yield { kind: 'identityProfile', id: 'employees', name: 'Employees' };
  for (const [number, access] of held.entries())
    yield { kind: 'identity', id: identityId(number), uid: identityId(number), identityProfile: 'employees', access };
}
