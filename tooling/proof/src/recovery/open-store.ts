// Started by interrupted-migrations.ts as a process: node open-store.ts <path of the file>.
import { openSqliteStore } from '@access-admin/store';
import { NEXT_MIGRATION } from './next-migration.ts';

process.stdout.write('opening\n');
const [, , path = ''] = process.argv;
const store = await openSqliteStore({ path, furtherMigrations: NEXT_MIGRATION });
process.stdout.write('open\n');
await store.close();
