import { documentedOf } from '@access-admin/contract';
import { toJsonSchema } from '@valibot/to-json-schema';
import { rulebookFile } from '../src/rulebook/schema.ts';

/** The JSON Schema of rulebook files, as `schema/rulebook.schema.json` has it. */
export function rulebookJsonSchema(): object {
  const {
    $schema,
    $defs: _,
    ...schema
  } = toJsonSchema(rulebookFile, {
    target: 'draft-2020-12',
    // What is checked further, such as dates, is beyond completion in an editor.
    ignoreActions: ['check'],
    overrideSchema: ({ valibotSchema, definitions, referenceMap }) =>
      valibotSchema.type === 'lazy' ? definitions[referenceMap.get(documentedOf(valibotSchema)) ?? ''] : undefined,
  });
  return { $schema, title: 'A file of a rulebook of access-admin', ...schema };
}
