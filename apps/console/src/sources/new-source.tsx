import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { sourcesQuery } from '../service/sources/queries.ts';
import { SOURCE_FIELDS, SourceFields, type SourceForm } from '../source-form/fields.tsx';
import { SOURCE_FORM_TEXTS } from '../source-form/texts.ts';
import { TextField } from '../ui/fields/text-field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import { sortRefusals } from '../ui/forms/refusals.ts';
import { SOURCES_TEXTS } from './texts.ts';

/** The values that the service gives what is left out. */
const EMPTY: SourceForm = {
  name: '',
  description: null,
  authoritative: false,
  identityProfileId: null,
  correlation: [
    { account: 'name', identity: 'uid' },
    { account: 'email', identity: 'email' },
  ],
  ignoreDisabled: true,
  deleteThresholdPercent: 10,
  groups: 'ENTITLEMENT',
};

/** A source that is about to be created. Its page opens then. */
export function NewSource() {
  const pageText = usePageTexts(SOURCES_TEXTS);
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState({ ...EMPTY, id: '' });
  const create = useMutation({
    mutationFn: async ({ id, ...source }: typeof typed) =>
      await api.sources.create(id === '' ? source : { ...source, id }),
    onSuccess: async ({ id }) => {
      await navigate({ to: '/sources/$id', params: { id } });
      await queries.invalidateQueries({ queryKey: sourcesQuery(api).queryKey });
    },
  });
  const refusals = sortRefusals(create.error, [...SOURCE_FIELDS, 'id']);
  const isShownAtFields = Object.keys(refusals.at).length > 0 && refusals.others.length === 0;
  const change = (part: Partial<typeof typed>) => {
    if (!create.isPending) create.reset();
    setTyped({ ...typed, ...part });
  };
  return (
    <Form label={pageText('new')} hasFocus onSubmit={() => create.isPending || create.mutate(typed)}>
      <SourceFields value={typed} refusals={refusals} onChange={change} />
      <TextField
        label={formText('id')}
        hint={formText('id.hint')}
        width="id"
        value={typed.id}
        errors={refusals.at['id']}
        onChange={(id) => change({ id })}
      />
      {create.isError && !isShownAtFields && (
        <Refusal error={create.error} {...(refusals.others.length > 0 && { texts: refusals.others })} />
      )}
      <p>
        <button type="submit" className="button main" aria-disabled={create.isPending}>
          {pageText('create')}
        </button>
      </p>
    </Form>
  );
}
