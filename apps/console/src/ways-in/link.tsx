import type { ShownIdentity } from '@access-admin/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { linkDecisionQuery, linkRefusalOf } from '../service/people/link-refusal.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import { Secret } from '../ui/forms/secret.tsx';
import styles from './card.module.css';
import { WAY_IN_TEXTS } from './texts.ts';

/** For how many hours a link can be valid. */
const HOURS = [1, 4, 8, 24];

/** Who a link is for. */
export type LinkedPerson = Pick<ShownIdentity, 'id' | 'uid' | 'displayName'>;

export interface SignInLinkFormProps {
  readonly person: LinkedPerson;
  /** Whether a link is made without being asked for again. */
  readonly isMadeAtOnce?: boolean;
}

/** A link with which a person sets a password or a passkey, or why there can be none. */
export function SignInLinkForm({ person, isMadeAtOnce = false }: SignInLinkFormProps) {
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const decision = useQuery(linkDecisionQuery(useApi(), person.id));
  const refusal = decision.data === undefined ? null : linkRefusalOf(decision.data);
  // A link that is made at once must not be of no use.
  if (isMadeAtOnce && decision.isPending) return null;
  if (refusal === null || decision.data === undefined) return <LinkForm person={person} isMadeAtOnce={isMadeAtOnce} />;
  const { authProfile } = decision.data;
  return (
    <>
      <h3 className={styles['subtitle']}>{pageText('link')}</h3>
      <p className={styles['note']}>{pageText(`link.${refusal}`, { profile: authProfile?.name ?? '' })}</p>
      {authProfile !== null && (
        <p>
          <Link to="/settings/auth-profiles" search={{ profile: authProfile.id }}>
            {pageText('link.profile', { profile: authProfile.name })}
          </Link>
        </p>
      )}
    </>
  );
}

/** Makes a link with which a person sets a password or a passkey. It is shown once. */
function LinkForm({ person, isMadeAtOnce }: Required<SignInLinkFormProps>) {
  const { text, moment } = useSpeech();
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const api = useApi();
  const [hours, setHours] = useState(8);
  const create = useMutation({ mutationFn: () => api.authUsers.createSignInLink(person.id, { hours }) });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isMadeAtOnce || hasBegun.current) return;
    hasBegun.current = true;
    create.mutate();
  }, [isMadeAtOnce, create.mutate]);
  const name = person.displayName ?? person.uid;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={styles['subtitle']}>
        {pageText('link')}
      </h3>
      {create.data === undefined ? (
        <Form label={pageText('link')} onSubmit={() => create.isPending || create.mutate()}>
          <p className={styles['note']}>{pageText('link.text')}</p>
          <div className={styles['fields']}>
            <SelectField
              label={pageText('link.hours')}
              value={String(hours)}
              options={HOURS.map((count) => ({ value: String(count), label: pageText('hours', { count }) }))}
              onChange={(value) => setHours(Number(value))}
            />
            <button type="submit" className="button" aria-disabled={create.isPending}>
              {create.isPending ? text('state.loading') : pageText('link.create')}
            </button>
          </div>
          {create.isError && <Refusal error={create.error} />}
        </Form>
      ) : (
        <Secret
          title={pageText('link.made', { name })}
          text={pageText('link.once', { time: moment(create.data.expires) })}
          values={{ [pageText('link.value')]: create.data.url }}
          onDone={() => {
            create.reset();
            heading.current?.focus();
          }}
        />
      )}
    </>
  );
}
