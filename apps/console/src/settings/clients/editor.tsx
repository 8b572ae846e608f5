import { ConflictError, type OAuthClient } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { clientQuery, clientsQuery, offeredScopes } from '../../service/settings/clients.ts';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { patchOf } from '../../ui/forms/changes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import { Scopes } from './scopes.tsx';
import { CLIENT_TEXTS } from './texts.ts';

export interface EditorProps {
  readonly id: string;
  /** The identity that is signed in. */
  readonly me: string;
}

/** The name and the scopes of a client. */
export function Editor({ id, me }: EditorProps) {
  const client = useQuery(clientQuery(useApi(), id));
  if (client.isError) return <Failure error={client.error} onRetry={client.refetch} />;
  return client.data !== undefined && <Fields client={client.data} me={me} />;
}

interface FieldsProps {
  readonly client: Versioned<OAuthClient>;
  /** The identity that is signed in. */
  readonly me: string;
}

function Fields({ client, me }: FieldsProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const api = useApi();
  const draft = useDraft({
    read: client,
    queryKey: clientsQuery(api).queryKey,
    save: (changes, ifMatch) => api.oauthClients.patch(client.value.id, patchOf(changes), { ifMatch }),
  });
  const labels = { name: pageText('name'), scopes: pageText('scopes') };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  return (
    <Form label={client.value.name} onSubmit={draft.save}>
      <TextField
        label={labels.name}
        value={draft.value.name}
        errors={refusals.at['name']}
        onChange={(name) => draft.change({ name })}
      />
      <Scopes
        offered={offeredScopes(client.value.identityId, me)}
        chosen={draft.value.scopes}
        errors={refusals.at['scopes'] ?? []}
        onChange={(scopes) => draft.change({ scopes })}
      />
      <SaveBar
        draft={draft}
        labels={labels}
        refusals={refusals}
        explanation={draft.error instanceof ConflictError ? pageText('save.guard') : null}
      />
    </Form>
  );
}
