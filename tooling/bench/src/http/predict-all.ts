import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { openConnections } from '../load/http-connection.ts';
import { predictRequest } from '../load/predict-request.ts';
import { cpuSecondsOf, residentBytesOf } from '../measure/process-usage.ts';
import { requestToken } from '../servers/request-token.ts';
import type { ServedWorld } from '../servers/served-world.ts';

const CONNECTIONS = 32;
/** Requests for one identity, sent before the memory of the process is read for the first time. */
const WARM_UP_REQUESTS = 5_000;

export interface PredictedAll {
  readonly residentBefore: number;
  readonly residentAfter: number;
  readonly seconds: number;
  /** CPU time of the API. */
  readonly cpuSeconds: number;
  /** Digest of all answers in the order of the identities. */
  readonly answersSha256: string;
  readonly answerBytes: number;
}

/** Sends a predict for each identity, 32 at once, and reads the resident memory of the API before and after. */
export async function predictAll(
  served: Omit<ServedWorld, typeof Symbol.asyncDispose>,
  { identities, bodyOf }: { readonly identities: number; readonly bodyOf: (number: number) => string },
): Promise<PredictedAll> {
  const { api, port } = served;
  const token = await requestToken(served);
  const connections = await openConnections(port, CONNECTIONS);
  const checksums = new Uint32Array(identities);
  let answerBytes = 0;
  const askFor = async (requests: number, identityOf: (request: number) => number) => {
    let next = 0;
    const converse = async (connection: (typeof connections)[number]) => {
      while (next < requests) {
        const identity = identityOf(next++);
        const { status, parts } = await connection.exchange(
          predictRequest({ port, token }, { body: bodyOf(identity), accept: null }),
        );
        if (status !== 200) throw new Error(`${status}: ${Buffer.concat(parts)}`);
        let checksum = 0;
        for (const part of parts) {
          checksum = crc32(part, checksum);
          answerBytes += part.length;
        }
        checksums[identity] = checksum;
      }
    };
    await Promise.all(connections.map(converse));
  };
  await askFor(WARM_UP_REQUESTS, () => 0);
  answerBytes = 0;
  const residentBefore = residentBytesOf(api.pid);
  const cpuBefore = cpuSecondsOf(api.pid);
  const start = performance.now();
  await askFor(identities, (request) => request);
  const seconds = (performance.now() - start) / 1000;
  const cpuSeconds = cpuSecondsOf(api.pid) - cpuBefore;
  for (const connection of connections) connection.close();
  const answersSha256 = createHash('sha256').update(checksums).digest('hex');
  const residentAfter = residentBytesOf(api.pid);
  return { residentBefore, residentAfter, seconds, cpuSeconds, answersSha256, answerBytes };
}
