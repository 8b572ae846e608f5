import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseHead, verifyAuditExport } from './verify-export.ts';

const USAGE = `usage: audit-verify <export.ndjson> [--head <head.json> --jwks <jwks.json>]

Checks an export of the audit log (GET /audit-events/v1/export): every event is what was recorded, and none is missing
between the first and the last. With a signed head of the log (GET /audit-events/v1/head) and the keys of the service
(GET /.well-known/jwks.json) it also finds a removed end and a rewritten log. Exits with 0, or with 1 and the first
sequence that is broken. A head without keys is unverified, because anyone can write one: exit code 1.
`;

const UNVERIFIED = `unverified: the signature of the head was not checked, so a forged head would pass. Save the keys of the service
(GET /.well-known/jwks.json) to a file and name it: --jwks <jwks.json>
`;

const UNKNOWN_END = 'Without --head and --jwks neither a removed end nor a rewritten log is found.';

const end = (text: string, code: number): never => {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
};

const { path, head, jwks } = readArguments();
try {
  const known = head === undefined ? null : await parseHead(readText(head), jwks === undefined ? null : readText(jwks));
  const found = await verifyAuditExport(createReadStream(path), known);
  if (found.fault !== null) end(`The log is broken at sequence ${found.sequence}: ${found.fault}.\n`, 1);
  const erased = found.erased === 0 ? '' : `${found.erased} of them without the texts of erased persons, `;
  if (known === null) end(`${found.sequence} events, ${erased}an unbroken chain. ${UNKNOWN_END}\n`, 0);
  if (jwks === undefined) end(UNVERIFIED, 1);
  end(`${found.sequence} events, ${erased}all${erased === '' ? '' : ' others'} as they were recorded.\n`, 0);
} catch (error) {
  end(`${error instanceof Error ? error.message : String(error)}\n`, 1);
}

function readArguments() {
  try {
    const options = { head: { type: 'string' }, jwks: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0 || (values.jwks !== undefined && values.head === undefined))
      return end(USAGE, 2);
    return { path, ...values };
  } catch {
    return end(USAGE, 2);
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
