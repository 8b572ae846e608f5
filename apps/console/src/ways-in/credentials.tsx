import type { Credentials as CredentialsRead, ShownIdentity } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { credentialsQuery } from '../service/people/queries.ts';
import { ConfirmButton } from '../ui/forms/confirm-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './card.module.css';
import { Lock } from './lock.tsx';
import { WAY_IN_TEXTS } from './texts.ts';
import { explainGuard, useChange } from './use-change.ts';

export interface CredentialsProps {
  readonly person: ShownIdentity;
  readonly mayChange: boolean;
}

/** What a person signs in with, and whether failed attempts have locked them. */
export function Credentials({ person, mayChange }: CredentialsProps) {
  return (
    <Loaded query={useQuery(credentialsQuery(useApi(), person.id))}>
      {(credentials) => (
        <>
          <Lock {...{ credentials, person, mayChange }} />
          <List {...{ credentials, person, mayChange }} />
        </>
      )}
    </Loaded>
  );
}

/** One of the credentials, as the list shows it. */
interface Row {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

function List({ credentials, person, mayChange }: CredentialsProps & { readonly credentials: CredentialsRead }) {
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const api = useApi();
  const heading = useRef<HTMLHeadingElement>(null);
  const change = useChange(heading);
  const rows = useRows(credentials);
  const name = person.displayName ?? person.uid;
  const explain = (error: unknown) => (explainGuard(error) ? pageText('guard') : null);
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={styles['subtitle']}>
        {pageText('credentials')}
      </h3>
      {rows.length === 0 && <p className={styles['small']}>{pageText('credentials.none')}</p>}
      <ul className={styles['rows']}>
        {rows.map((row) => (
          <li key={row.id}>
            <span className={styles['what']}>
              <span dir="auto">{row.name}</span>
              <span className={styles['muted']}>{row.state}</span>
            </span>
            {mayChange && (
              <ConfirmButton
                label={pageText('remove')}
                of={row.name}
                question={pageText('remove.question', { what: row.name, name })}
                onConfirm={() => change(api.authUsers.removeCredential(person.id, row.id))}
                explain={explain}
              >
                {pageText('remove.text')}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      {mayChange && rows.length > 1 && (
        <div>
          <ConfirmButton
            label={pageText('reset')}
            question={pageText('reset.question', { name })}
            onConfirm={() => change(api.authUsers.removeCredentials(person.id))}
            explain={explain}
          >
            {pageText('reset.text')}
          </ConfirmButton>
        </div>
      )}
    </>
  );
}

function useRows({ password, totp, passkeys, recoveryCodesLeft }: CredentialsRead): readonly Row[] {
  const { day } = useSpeech();
  const pageText = usePageTexts(WAY_IN_TEXTS);
  return [
    ...(password === null
      ? []
      : [
          {
            id: 'password',
            name: pageText('password'),
            state: pageText('password.set', { day: day(password.changed) }),
          },
        ]),
    ...passkeys.map(({ id, name, created, lastUsed }) => ({
      id,
      name: pageText('passkey', { name }),
      state:
        lastUsed === null
          ? pageText('passkey.unused', { day: day(created) })
          : pageText('passkey.used', { day: day(created), used: day(lastUsed) }),
    })),
    ...(totp ? [{ id: 'totp', name: pageText('app'), state: pageText('app.set') }] : []),
    ...(recoveryCodesLeft === 0
      ? []
      : [
          {
            id: 'recovery-codes',
            name: pageText('codes'),
            state: pageText('codes.left', { count: recoveryCodesLeft }),
          },
        ]),
  ];
}
