import type { ShownIdentity } from '@access-admin/client';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import { Secret } from '../ui/forms/secret.tsx';
import styles from './card.module.css';
import { WAY_IN_TEXTS } from './texts.ts';

/** For how many hours a link can be valid. */
const HOURS = [1, 4, 8, 24];

/** Makes a link with which a person sets a password or a passkey. It is shown once. */
export function SignInLinkForm({ person }: { readonly person: ShownIdentity }) {
  const { text, moment } = useSpeech();
  const pageText = usePageTexts(WAY_IN_TEXTS);
  const api = useApi();
  const [hours, setHours] = useState(8);
  const create = useMutation({ mutationFn: () => api.authUsers.createSignInLink(person.id, { hours }) });
  const name = person.displayName ?? person.uid;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={styles['subtitle']}>
        {pageText('link')}
      </h3>
      {create.data === undefined ? (
        <Form label={pageText('link')} onSubmit={() => create.mutate()}>
          <p className={styles['note']}>{pageText('link.text')}</p>
          <div className={styles['fields']}>
            <SelectField
              label={pageText('link.hours')}
              value={String(hours)}
              options={HOURS.map((count) => ({ value: String(count), label: pageText('hours', { count }) }))}
              onChange={(value) => setHours(Number(value))}
            />
            <button type="submit" className="button" disabled={create.isPending}>
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
