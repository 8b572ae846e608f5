import { strictEqual } from 'node:assert/strict';
import type { RunningApi } from '@access-admin/harness';
import { withConnections } from '../load/http-connection.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { predictRequest } from '../load/predict-request.ts';
import type { openMeasuredService } from '../servers/open-measured-service.ts';
import { requestToken } from '../servers/request-token.ts';

const PER_SECOND = 200;
const CONNECTIONS = 16;

interface Predicted {
  readonly service: ReturnType<typeof openMeasuredService>;
  readonly api: RunningApi;
  readonly identities: number;
  bodyOf(identity: number): string;
}

/** Sends 200 predicts a second over HTTP for so many milliseconds, and resolves with the latency of each in milliseconds. */
export async function openPredictLoad({
  service,
  api,
  identities,
  bodyOf,
}: Predicted): Promise<(milliseconds: number) => Promise<readonly number[]>> {
  const port = Number(new URL(api.baseAddress).port);
  const token = await requestToken({ service, api });
  let next = 0;
  const nextRequest = () => predictRequest({ port, token }, { body: bodyOf(next++ % identities), accept: null });
  const check = ({ status }: { readonly status: number }) => strictEqual(status, 200);
  return async (milliseconds) => {
    // New connections each time: the server closes idle ones.
    const [latencies = []] = await withConnections(port, CONNECTIONS, (connections) =>
      runOpenLoop([{ perSecond: PER_SECOND, connections, nextRequest, check }], milliseconds),
    );
    return latencies;
  };
}

export const p99Of = (latencies: readonly number[]): number =>
  latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
