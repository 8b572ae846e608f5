// Run by u1.ts in a process of its own: node open-store.ts <database URL>.
import { openStore } from '@access-admin/store';

process.stdout.write('opening\n');
const store = await openStore(process.argv[2] ?? '');
process.stdout.write('open\n');
await store.close();
