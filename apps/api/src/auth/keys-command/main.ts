import '../../process/require-node.ts';
import { openStore } from '@access-admin/store';
import { parseConfig } from '../../config.ts';
import { rotateSigningKey } from '../signing-keys.ts';

const USAGE = `usage: access-admin-keys list | rotate

list shows the keys that sign tokens, receipts and heads of the audit log. rotate puts a new key in the place of the one of
BASE_ADDRESS, while the service runs: tokens of the retired key are accepted for 15 more minutes, and its public part stays in
the key set. Reads DATABASE_URL and BASE_ADDRESS (else HOST and PORT) as the API does.
`;

function refuse(text: string, exitCode: number): never {
  process.stderr.write(text);
  process.exit(exitCode);
}

const [action, ...more] = process.argv.slice(2);
if ((action !== 'list' && action !== 'rotate') || more.length > 0) refuse(USAGE, 2);
const parsed = parseConfig(process.env);
if (!parsed.ok) refuse(`${['The configuration is wrong:', ...parsed.failure].join('\n  ')}\n`, 2);
const { databaseUrl, baseAddress } = parsed.value;
const cannotOpen = (error: Error) => refuse(`The store cannot be opened: ${String(error.cause ?? error.message)}\n`, 1);
await using store = await openStore(databaseUrl).catch(cannotOpen);
if (action === 'rotate') {
  const rotated = await rotateSigningKey({ store: store.signingKeys, now: () => new Date() }, baseAddress);
  if (rotated === null) refuse(`No key signs for ${baseAddress}: set BASE_ADDRESS as the API has it.\n`, 1);
  process.stdout.write(`${rotated.next.kid} signs for ${baseAddress} now; ${rotated.retired.kid} is retired.\n`);
} else {
  for (const { kid, issuer, created } of await store.signingKeys.list())
    process.stdout.write(`${kid} ${issuer} signs since ${created}\n`);
  for (const { kid, issuer, created, retired } of await store.signingKeys.listRetired())
    process.stdout.write(`${kid} ${issuer} signed from ${created} to ${retired}\n`);
}
