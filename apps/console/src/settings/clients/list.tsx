import { ConflictError, type OAuthClient, type OAuthClientWithSecret } from '@access-admin/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { HistoryLink } from '../../history/link.tsx';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { nameQuery } from '../../service/look-ups.ts';
import { clientsQuery, mayAdminister } from '../../service/settings/clients.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx';
import columns from '../columns.module.css';
import { Editor } from './editor.tsx';
import { NewSecret } from './new-secret.tsx';
import styles from './page.module.css';
import { Rotate } from './rotate.tsx';
import { CLIENT_TEXTS } from './texts.ts';

export interface ClientListProps {
  /** The identity that is signed in. */
  readonly me: string;
}

/** All clients, each with its scopes. */
export function ClientList({ me }: ClientListProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const clients = useQuery(clientsQuery(useApi()));
  return (
    <Card title={pageText('clients')}>
      <p className={columns['note']}>
        {pageText('clients.text')}
        {clients.data?.some((client) => !mayAdminister(client, me)) && ` ${pageText('program.text')}`}
      </p>
      {clients.isError && <Failure error={clients.error} onRetry={clients.refetch} />}
      <ul className={styles['clients']}>
        {clients.data?.map((client) => (
          <Client key={client.id} client={client} me={me} />
        ))}
      </ul>
    </Card>
  );
}

interface ClientProps {
  readonly client: OAuthClient;
  readonly me: string;
}

interface Rotated {
  readonly client: OAuthClientWithSecret;
  readonly hasEnded: boolean;
}

function Client({ client, me }: ClientProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(CLIENT_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const { id, name, identityId, scopes, created } = client;
  const isMine = mayAdminister(client, me);
  const remove = async () => {
    await api.oauthClients.delete(id);
    await queries.invalidateQueries({ queryKey: clientsQuery(api).queryKey });
  };
  return (
    <li className={styles['client']}>
      <div className={styles['top']}>
        <div>
          <h3 dir="auto">{name}</h3>
          <code className={columns['note']}>{id}</code>
          <p className={columns['note']}>
            {identityId === null ? (
              pageText(client.bootstrap === true ? 'bootstrap' : 'application')
            ) : (
              <Identity id={identityId} />
            )}
            {', '}
            {pageText('scopes.count', { count: scopes.length })}
            {', '}
            {pageText('created', { day: day(created) })}
            {!isMine && `, ${pageText('program')}`}
          </p>
        </div>
        <div className={styles['ways']}>
          <HistoryLink type="OAUTH_CLIENT" id={id} of={name} />
          {isMine && (
            <>
              <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {pageText(isOpen ? 'close' : 'change')}
                <span className="away"> {name}</span>
              </button>
              <Rotate
                client={client}
                onRotated={(withSecret, hasEnded) => setRotated({ client: withSecret, hasEnded })}
              />
              <ConfirmButton
                label={pageText('delete')}
                of={name}
                question={pageText('delete.question', { name })}
                onConfirm={remove}
                explain={(error) => (error instanceof ConflictError ? pageText('delete.guard') : null)}
              >
                {pageText('delete.text')}
              </ConfirmButton>
            </>
          )}
        </div>
      </div>
      {rotated !== null && (
        <NewSecret
          client={rotated.client}
          title={pageText('rotated', { name })}
          text={pageText(rotated.hasEnded ? 'rotated.now' : 'rotated.text')}
          onDone={() => setRotated(null)}
        />
      )}
      {isOpen && <Editor id={id} me={me} />}
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
