import type { CloudEvent } from '@access-admin/client';
import { openTestService, type RunningApi, type Service } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';

const WRITES = 60;
const KILL_AFTER = [15, 35];

async function open(env: Readonly<Record<string, string>> = {}) {
  const service = await openTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { service, api: await service.startApi(env) };
}

async function restart(service: Service, api: RunningApi): Promise<RunningApi> {
  await api.stop('SIGKILL');
  return service.startApi({ PORT: new URL(api.baseAddress).port });
}

/** Collects events until the signal is aborted; resolves without an error then. */
async function collect(events: AsyncIterable<CloudEvent>, into: CloudEvent[]): Promise<void> {
  for await (const event of events) into.push(event);
}

const labelsOf = (events: readonly CloudEvent[]) =>
  events.map(({ data }) => (data as { readonly usernameLabel: string }).usernameLabel);

test('a stream goes on across kills of the API without loss or repetition, in order, and ends with its signal', async () => {
  const { service, api } = await open();
  const { client } = api;
  const leaving = new AbortController();
  const seen: CloudEvent[] = [];
  const reading = collect(client.events.stream({ types: ['ui-metadata.*'], signal: leaving.signal }), seen);
  let running = api;
  for (let count = 1; count <= WRITES; count++) {
    await client.uiMetadata.set({ usernameLabel: `label ${count}` });
    // Now and then the API dies right after an answer, while the stream may not have sent its event.
    if (KILL_AFTER.includes(count)) running = await restart(service, running);
  }
  await expect.poll(() => labelsOf(seen).at(-1)).toBe(`label ${WRITES}`);
  leaving.abort();
  await reading;
  const sequences = seen.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].toSorted());
  expect(labelsOf(seen)).toEqual(Array.from({ length: WRITES }, (_, at) => `label ${at + 1}`));

  const listed: CloudEvent[] = [];
  await collect(client.events.list({ types: ['ui-metadata.*'] }), listed);
  expect(listed).toEqual(seen);
});
