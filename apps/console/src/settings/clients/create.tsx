import type { Scope } from '@access-admin/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { type ClientAccess, clientsQuery } from '../../service/settings/clients.ts';
import { Card } from '../../ui/card.tsx';
import { PersonField } from '../../ui/fields/person-field.tsx';
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
export function NewClient({ access }: { readonly access: ClientAccess }) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const queries = useQueryClient();
  const [typed, setTyped] = useState(EMPTY);
  const create = useMutation({
    mutationFn: () => access.api.oauthClients.create(typed),
    onSuccess: () => {
      setTyped(EMPTY);
      return queries.invalidateQueries({ queryKey: clientsQuery(access).queryKey });
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
        <ActsAs value={typed.identityId} onChange={(identityId) => setTyped({ ...typed, identityId })} />
        <Scopes
          offered={access.scopes}
          chosen={typed.scopes}
          errors={refusals.at['scopes'] ?? []}
          onChange={(scopes) => setTyped({ ...typed, scopes })}
        />
        {create.isError && (Object.keys(refusals.at).length === 0 || refusals.others.length > 0) && (
          <Refusal error={create.error} />
        )}
        <p>
          <button type="submit" className="button main" disabled={create.isPending}>
            {pageText('create')}
          </button>
        </p>
      </Form>
    </Card>
  );
}

interface ActsAsProps {
  /** The id of an identity; null for an application. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

function ActsAs({ value, onChange }: ActsAsProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  return (
    <PersonField
      label={pageText(value === null ? 'person' : 'acts')}
      id={value ?? undefined}
      removeLabel={(name) => pageText('remove', { name })}
      onChoose={({ id }) => onChange(id)}
      onRemove={() => onChange(null)}
    />
  );
}
