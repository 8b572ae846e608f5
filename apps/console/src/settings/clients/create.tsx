import type { Scope } from '@access-admin/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { clientsQuery, offeredScopes } from '../../service/settings/clients.ts';
import { Card } from '../../ui/card.tsx';
import { RadioField } from '../../ui/fields/radio-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Refusal } from '../../ui/forms/refusal.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { NewSecret } from './new-secret.tsx';
import { Scopes } from './scopes.tsx';
import { CLIENT_TEXTS } from './texts.ts';

interface NewClientForm {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly identityId: string | null;
}

const EMPTY: NewClientForm = { name: '', scopes: [], identityId: null };

/** Creates a client, and shows its secret once. */
export function NewClient({ me }: { readonly me: string }) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(EMPTY);
  const offered = offeredScopes(typed.identityId, me);
  // What was chosen for another way of acting may not be offered any more.
  const scopes = typed.scopes.filter((scope) => offered.includes(scope));
  const create = useMutation({
    mutationFn: () => api.oauthClients.create({ ...typed, scopes }),
    onSuccess: () => {
      setTyped(EMPTY);
      return queries.invalidateQueries({ queryKey: clientsQuery(api).queryKey });
    },
  });
  const refusals = sortRefusals(create.error, Object.keys(EMPTY));
  return (
    <Card title={pageText('new')}>
      {create.data !== undefined && (
        <NewSecret
          client={create.data}
          title={pageText('made', { name: create.data.name })}
          text={pageText('made.text')}
          onDone={create.reset}
        />
      )}
      <Form label={pageText('new')} onSubmit={() => create.mutate()}>
        <TextField
          label={pageText('new.name')}
          value={typed.name}
          errors={refusals.at['name']}
          onChange={(name) => setTyped({ ...typed, name })}
        />
        <ActsAs me={me} value={typed.identityId} onChange={(identityId) => setTyped({ ...typed, identityId })} />
        <Scopes
          offered={offered}
          chosen={scopes}
          errors={refusals.at['scopes'] ?? []}
          onChange={(scopes) => setTyped({ ...typed, scopes })}
        />
        {create.isError && (Object.keys(refusals.at).length === 0 || refusals.others.length > 0) && (
          <Refusal error={create.error} />
        )}
        <p>
          <button type="submit" className="button main" aria-disabled={create.isPending}>
            {pageText('create')}
          </button>
        </p>
      </Form>
    </Card>
  );
}

interface ActsAsProps {
  readonly me: string;
  /** The id of an identity; null for an application. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** As whom a client acts, with what it may then do. */
function ActsAs({ me, value, onChange }: ActsAsProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const options = (['application', 'me'] as const).map((each) => ({
    value: each,
    label: pageText(each),
    hint: pageText(`${each}.hint`),
  }));
  return (
    <RadioField
      label={pageText('acts')}
      value={value === me ? 'me' : 'application'}
      options={options}
      onChange={(chosen) => onChange(chosen === 'me' ? me : null)}
    />
  );
}
