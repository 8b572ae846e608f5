import { ConflictError, type OAuthClient } from '@access-admin/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../forms/confirm-button.tsx';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import button from '../../parts/button.module.css';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useApi } from '../../service/api.tsx';
import { nameQuery } from '../../service/look-ups.ts';
import { type ClientAccess, clientsQuery } from '../../service/settings/clients.ts';
import columns from '../columns.module.css';
import { Editor } from './editor.tsx';
import styles from './page.module.css';
import { CLIENT_TEXTS } from './texts.ts';

export interface ClientListProps {
  readonly access: ClientAccess;
  readonly onLeave: () => void;
}

/** All clients, each with its scopes. */
export function ClientList({ access, onLeave }: ClientListProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const clients = useQuery(clientsQuery(access));
  return (
    <Card title={pageText('clients')}>
      <p className={styles['as']}>
        <span className={columns['note']}>{pageText('as', { id: access.clientId })}</span>
        <button type="button" className={button['button']} onClick={onLeave}>
          {pageText('leave')}
        </button>
      </p>
      {clients.isError && <Failure error={clients.error} onRetry={clients.refetch} />}
      <ul className={styles['clients']}>
        {clients.data?.map((client) => (
          <Client key={client.id} client={client} access={access} />
        ))}
      </ul>
    </Card>
  );
}

interface ClientProps {
  readonly client: OAuthClient;
  readonly access: ClientAccess;
}

function Client({ client, access }: ClientProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(CLIENT_TEXTS);
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { id, name, identityId, scopes, created } = client;
  const remove = async () => {
    await access.api.oauthClients.delete(id);
    await queries.invalidateQueries({ queryKey: clientsQuery(access).queryKey });
  };
  return (
    <li className={styles['client']}>
      <div className={styles['top']}>
        <div>
          <h3 dir="auto">{name}</h3>
          <code className={columns['note']}>{id}</code>
          <p className={columns['note']}>
            {identityId === null ? pageText('application') : <Identity id={identityId} />}
            {', '}
            {pageText('scopes.count', { count: scopes.length })}
            {', '}
            {pageText('created', { day: day(created) })}
          </p>
        </div>
        <div className={styles['ways']}>
          <button type="button" className={button['button']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {pageText(isOpen ? 'close' : 'change')}
            <span className="away"> {name}</span>
          </button>
          <ConfirmButton
            label={pageText('delete')}
            of={name}
            question={pageText('delete.question', { name })}
            onConfirm={remove}
            explain={(error) => (error instanceof ConflictError ? pageText('delete.guard') : null)}
          >
            {pageText('delete.text')}
          </ConfirmButton>
        </div>
      </div>
      {isOpen && <Editor id={id} access={access} />}
    </li>
  );
}

function Identity({ id }: { readonly id: string }) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const name = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  return (
    <span dir="auto">
      {pageText('acts')} {name.data ?? id}
    </span>
  );
}
