// Started by interrupted-migrations.ts as a process: node open-store.ts <path of the file> present|next.
import { openSqliteStore } from '@access-admin/store';
import { NEXT_MIGRATION } from './next-migration.ts';

process.stdout.write('opening\n');
const [, , path = '', version] = process.argv;
const store = await openSqliteStore({ path, furtherMigrations: version === 'next' ? NEXT_MIGRATION : {} });
process.stdout.write('open\n');
await store.close();
