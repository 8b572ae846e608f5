import * as v from 'valibot';
import { readLines } from '../files/read-lines.ts';
import { jsonErrorPlace, reasonOf } from '../files/read-text.ts';
import type { Conversion } from './conversion.ts';
import { expectFormat } from './kinds.ts';
import type { CatalogueRecord } from './write-records.ts';

const accountSchema = v.strictObject({
  kind: v.literal('account'),
  id: v.string(),
  name: v.optional(v.string()),
  displayName: v.nullish(v.string()),
  email: v.nullish(v.string()),
  disabled: v.optional(v.boolean(), false),
  attributes: v.optional(v.record(v.string(), v.string()), {}),
  access: v.optional(
    v.array(
      v.strictObject({
        type: v.picklist(['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE']),
        id: v.string(),
        start: v.exactOptional(v.string()),
        end: v.exactOptional(v.string()),
      }),
    ),
    [],
  ),
});
const catalogueSchema = v.looseObject({ kind: v.picklist(['entitlement', 'accessProfile', 'role']) });

/** Takes records of a load as they are, one a line, and checks them. */
export async function convertNdjson(files: readonly string[], conversion: Conversion): Promise<void> {
  const { faults, uses, signal, onProgress, writer } = conversion;
  for (const file of files) {
    expectFormat(file, 'ndjson');
    for await (const { lines, first, bytes } of readLines(file, signal)) {
      onProgress(file, bytes);
      for (const [index, line] of lines.entries()) {
        if (line.trim() === '') continue;
        const at = { file, line: first + index, column: 1 };
        let given: unknown;
        try {
          given = JSON.parse(line);
        } catch (error) {
          const [, column = '1'] = jsonErrorPlace(line, error).split(':');
          faults.add({ at: { ...at, column: Number(column) }, text: `not JSON: ${reasonOf(error)}` });
          continue;
        }
        const kind = String(Object(given).kind);
        for (const field of Object.keys(Object(given))) uses.add(kind, field, field);
        const catalogue = v.safeParse(catalogueSchema, given);
        if (catalogue.success) {
          const record: CatalogueRecord = catalogue.output;
          await writer.catalogue(record, at);
          continue;
        }
        const account = v.safeParse(accountSchema, given);
        if (kind !== 'account') {
          faults.add({
            at,
            text: `kind ${kind} is not of a load, which has account, entitlement, accessProfile, role; \`access-admin import\` takes a model`,
          });
        } else if (account.success) {
          const { id, name = id, displayName, email, disabled, attributes, access } = account.output;
          const fields = email == null ? {} : { email };
          await writer.account(
            {
              id,
              name,
              displayName: displayName ?? name,
              fields,
              profile: { id: 'ndjson', name: 'NDJSON' },
              disabled,
              attributes,
              access,
            },
            at,
          );
        } else
          for (const issue of account.issues)
            faults.add({ at, text: `${v.getDotPath(issue) ?? 'record'}: ${issue.message}` });
      }
    }
  }
  await writer.end();
}
