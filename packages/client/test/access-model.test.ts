import { describe, expect, test } from 'vitest';
import type { AccessModelInput, AccessModelRecord } from '../src/index.ts';
import { openStage } from './fixtures.ts';
import { json, type Reaction, refusal, silence } from './scripted-server.ts';

const IMPORT = 'POST /access-model/v1/import';
const EXPORT = 'GET /access-model/v1/export';
const records: readonly AccessModelRecord[] = [
  { kind: 'entitlement', id: 'e-1', name: 'Zahlung freigeben – 支払い 🧾', source: 'ERP' },
  { kind: 'accessProfile', id: 'ap-1', name: 'Accounts payable', entitlements: ['e-1'] },
];
const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');

const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Sends each piece in its own network packet. */
const pieces =
  (bytes: Uint8Array, cuts: readonly number[]): Reaction =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    let start = 0;
    for (const end of [...cuts, bytes.length]) {
      await new Promise((resolve) => response.write(bytes.subarray(start, end), resolve));
      await new Promise(setImmediate);
      start = end;
    }
    response.end();
  };

describe('import', () => {
  test.each<[string, () => string | Iterable<AccessModelInput> | AsyncIterable<AccessModelInput>]>([
    ['an array', () => records],
    ['a generator', () => records.values()],
    [
      'an asynchronous generator',
      async function* () {
        yield* records;
      },
    ],
    ['text', () => lines],
  ])('sends %s as JSON lines', async (_, source) => {
    await using stage = await openStage();
    stage.server.script(IMPORT, json(200, { policySetVersion: 1 }));
    await expect(stage.admin.accessModel.import(source())).resolves.toEqual({ policySetVersion: 1 });
    expect(stage.server.arrivals[0]?.body).toBe(lines);
  });

  test('a source that can be read only once is sent again after a refusal', async () => {
    await using stage = await openStage();
    stage.server.script(IMPORT, refusal(429, '429'), json(200, {}));
    await stage.admin.accessModel.import(records.values());
    expect(stage.server.arrivals.map(({ body }) => body)).toEqual([lines, lines]);
  });

  test('an empty source is sent as an empty body', async () => {
    await using stage = await openStage();
    stage.server.script(IMPORT, json(200, {}));
    await stage.admin.accessModel.import([]);
    expect(stage.server.arrivals[0]).toMatchObject({ body: '', headers: { 'content-type': 'application/x-ndjson' } });
  });

  test('a source that fails sends nothing', async () => {
    await using stage = await openStage();
    const cause = new Error('file is gone');
    const failing = async function* (): AsyncGenerator<AccessModelInput> {
      yield { kind: 'entitlement', id: 'e-1', delete: true };
      throw cause;
    };
    await expect(stage.admin.accessModel.import(failing())).rejects.toBe(cause);
    expect(stage.server.arrivals).toHaveLength(0);
  });
});

test('violations are exported as CSV, in text pieces that cut no character', async () => {
  await using stage = await openStage();
  const csv = 'id,name\r\nv-1,"Zahlung: 支払い 🧾"\r\n';
  const bytes = new TextEncoder().encode(csv);
  const cuts = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
  stage.server.script('GET /violations/v1/export', pieces(bytes, cuts));
  const text = await collect(stage.admin.violations.exportCsv());
  expect(text.join('')).toBe(csv);
  expect(stage.server.arrivals[0]?.headers['accept']).toBe('text/csv');
});

describe('export', () => {
  const bytes = new TextEncoder().encode(lines);

  test('reads records from pieces of any size', async () => {
    await using stage = await openStage();
    stage.server.script(EXPORT, pieces(bytes, [...bytes.keys()].slice(1)));
    await expect(collect(stage.admin.accessModel.export())).resolves.toEqual(records);
  });

  test('yields a record as soon as its line is complete', async () => {
    await using stage = await openStage();
    let finish = () => {};
    stage.server.script(EXPORT, (response) => {
      const [first = ''] = lines.split(/(?<=\n)/);
      response.write(first);
      finish = () => response.end(lines.slice(first.length));
    });
    const seen: AccessModelRecord[] = [];
    for await (const record of stage.admin.accessModel.export()) {
      seen.push(record);
      if (seen.length === 1) finish();
    }
    expect(seen).toEqual(records);
  });

  test('nothing is sent before the iteration starts', async () => {
    await using stage = await openStage();
    stage.admin.accessModel.export();
    await new Promise(setImmediate);
    expect(stage.server.tokenArrivals).toHaveLength(0);
  });

  test('the end of the iteration closes the connection', async () => {
    await using stage = await openStage();
    const closed = Promise.withResolvers<void>();
    stage.server.script(EXPORT, (response) => {
      response.on('close', closed.resolve);
      response.write(lines);
    });
    for await (const _ of stage.admin.accessModel.export()) break;
    await closed.promise;
    expect(stage.runtime.timers).toEqual([]);
  });

  test('a connection that breaks during an export is an error', async () => {
    await using stage = await openStage();
    stage.server.script(EXPORT, (response) => response.write(lines, () => response.destroy()));
    await expect(collect(stage.admin.accessModel.export())).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(stage.server.arrivals).toHaveLength(1);
  });

  test('the request is repeated until the first piece', async () => {
    await using stage = await openStage();
    stage.server.script(EXPORT, refusal(503, '503'), pieces(bytes, []));
    await expect(collect(stage.admin.accessModel.export())).resolves.toEqual(records);
  });

  test('the time limit applies while the service is silent', async () => {
    await using stage = await openStage({ retries: 0 });
    stage.server.script(EXPORT, (response) => response.write(lines));
    const iteration = stage.admin.accessModel.export()[Symbol.asyncIterator]();
    await iteration.next();
    await iteration.next();
    const third = iteration.next();
    await expect.poll(() => stage.runtime.timers).toEqual([30_000]);
    stage.runtime.fire(30_000);
    await expect(third).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('the time limit does not apply while the caller is busy', async () => {
    await using stage = await openStage();
    stage.server.script(EXPORT, pieces(bytes, []));
    for await (const _ of stage.admin.accessModel.export()) expect(stage.runtime.timers).toEqual([]);
  });

  test('ends with the reason of its signal', async () => {
    await using stage = await openStage();
    stage.server.script(EXPORT, silence);
    const controller = new AbortController();
    const all = collect(stage.admin.accessModel.export({ signal: controller.signal }));
    await stage.server.arrived(1);
    controller.abort('enough');
    await expect(all).rejects.toBe('enough');
  });
});

// The compiler checks the types.
test('the types allow what the import format allows', () => {
  const importable = (record: AccessModelRecord): AccessModelInput => record;
  const shortest: readonly AccessModelInput[] = [
    { kind: 'entitlement', id: 'e-1', name: 'Pay' },
    { kind: 'accessProfile', id: 'ap-1', name: 'Payable', entitlements: [] },
    { kind: 'role', id: 'r-1', name: 'Clerk' },
    { kind: 'identityProfile', id: 'ip-1', name: 'Employees' },
    { kind: 'identity', id: 'i-1', uid: 'ada', identityProfile: 'ip-1' },
    {
      kind: 'sodPolicy',
      id: 'p-1',
      name: 'Vendor and payment',
      conflictingAccessCriteria: {
        leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-1' }] },
        rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-2' }] },
      },
    },
    { kind: 'uiMetadata', id: 'tenant' },
    { kind: 'role', id: 'r-2', delete: true },
    // @ts-expect-error: a policy needs its criteria
    { kind: 'sodPolicy', id: 'p-2', name: 'Nothing' },
    // @ts-expect-error: no such capability
    { kind: 'identity', id: 'i-2', uid: 'bob', identityProfile: 'ip-1', capabilities: ['ROOT'] },
  ];
  expect(shortest.length).toBe(10);
  expect(importable).toBeTypeOf('function');
});
