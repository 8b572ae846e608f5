#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { VerificationError, verifyReceipt } from '../src/index.ts';

const USAGE = `usage: sod-receipt-verify <receipt> --jwks <jwks.json or its address> [--check <check.json>] [--request <request.json>]

Verifies the receipt of a check (GET /sod-violations/v1/check/{requestId}/receipt) without the service. The receipt is a file,
- for the standard input, or the text itself. The keys are those of the service (GET /.well-known/jwks.json), saved in a file
at a time when they were trusted, or an address. With the saved answer of the check (GET /sod-violations/v1/check/{requestId})
the receipt must be that of its result, with the body that started the check that of this request; a property "request" of the
saved check counts as that body. Prints what the receipt says and exits with 0; exits with 1 and the reason if it is not valid,
with 2 if the command is used wrongly.
`;

const UNVERIFIED = `unverified: the signature was not checked, so a forged receipt would pass. Save the keys of the service
(GET /.well-known/jwks.json) to a file and name it: --jwks <jwks.json>
`;

const FETCH_MS_MAX = 30_000;

const end = (text: string, code: number): never => {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
};

const { receipt, jwks, check, request } = readArguments();
try {
  const text = readReceipt(receipt).trim();
  if (jwks === undefined) end(UNVERIFIED, 1);
  else {
    const { request: asked, ...shown } = check === undefined ? {} : readObject(check);
    const said = await verifyReceipt(text, {
      jwks: toJwks(await readKeys(jwks), jwks),
      check: check === undefined ? undefined : (shown as never),
      request: (request === undefined ? asked : readObject(request)) as never,
    });
    end(`${JSON.stringify(said, null, 2)}\n`, 0);
  }
} catch (error) {
  const reason = error instanceof VerificationError ? `not valid, ${error.reason}` : 'not verified';
  end(`${reason}: ${error instanceof Error ? error.message : String(error)}\n`, 1);
}

function readArguments() {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      options: { jwks: text, check: text, request: text },
      allowPositionals: true,
    });
    const [receipt, ...more] = positionals;
    if (receipt === undefined || more.length > 0) return end(USAGE, 2);
    return { receipt, ...values };
  } catch {
    return end(USAGE, 2);
  }
}

function readReceipt(given: string): string {
  if (given === '-') return readFileSync(0, 'utf8');
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(given) && !existsSync(given) ? given : readFileSync(given, 'utf8');
}

async function readKeys(place: string): Promise<unknown> {
  if (!/^https?:\/\//i.test(place)) return readObject(place);
  const response = await fetch(place, { signal: AbortSignal.timeout(FETCH_MS_MAX) });
  if (!response.ok) throw new Error(`${place} answers ${response.status}.`);
  return response.json();
}

function toJwks(value: unknown, place: string): { readonly keys: readonly object[] } {
  const { keys } = Object(value);
  if (!Array.isArray(keys)) throw new Error(`There is no key set in ${place}.`);
  return { keys };
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  const text = readFileSync(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new Error(`There is no JSON object in ${file}. Save the answer of the service again.`);
}
