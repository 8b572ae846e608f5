import type { Source } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { sourceQuery, TOUCHED_BY_ACCOUNTS } from '../service/sources/queries.ts';
import { SOURCE_FIELDS, SourceFields } from '../source-form/fields.tsx';
import { SOURCE_FORM_TEXTS } from '../source-form/texts.ts';
import { patchOf } from '../ui/forms/changes.ts';
import { Form } from '../ui/forms/form.tsx';
import { sortRefusals } from '../ui/forms/refusals.ts';
import { SaveBar } from '../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../ui/forms/use-draft.ts';
import { SOURCE_TEXTS } from './texts.ts';

export interface SettingsProps {
  readonly source: Versioned<Source>;
}

/** The settings of a source, to be changed. */
export function Editor({ source }: SettingsProps) {
  const pageText = usePageTexts(SOURCE_TEXTS);
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const { id } = source.value;
  const draft = useDraft({
    read: source,
    queryKey: sourceQuery(api, id).queryKey,
    save: async (changes, ifMatch) => {
      await api.sources.patch(id, patchOf(changes), { ifMatch });
      // Other rules link accounts anew.
      for (const concern of TOUCHED_BY_ACCOUNTS) queries.invalidateQueries({ queryKey: [concern] });
    },
  });
  const refusals = sortRefusals(draft.error, SOURCE_FIELDS);
  const labels = Object.fromEntries(SOURCE_FIELDS.map((field) => [field, formText(field)]));
  return (
    <Form label={pageText('settings')} hasFocus onSubmit={draft.save}>
      <SourceFields value={draft.value} refusals={refusals} onChange={draft.change} />
      <SaveBar draft={draft} labels={labels} refusals={refusals} />
    </Form>
  );
}
