import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { type ClientAccess, isWrongSecret, openClientAccess } from '../../service/settings/clients.ts';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Refusal } from '../../ui/forms/refusal.tsx';
import columns from '../columns.module.css';
import { NewClient } from './create.tsx';
import { ClientList } from './list.tsx';
import { CLIENT_TEXTS } from './texts.ts';

/** The programs that may call the service. A client administers them, since no session may. */
export function ClientsSection() {
  const [access, setAccess] = useState<ClientAccess | null>(null);
  if (access === null) return <Unlock onAccess={setAccess} />;
  return (
    <div className={columns['columns']}>
      <ClientList access={access} onAccess={setAccess} onLeave={() => setAccess(null)} />
      <NewClient access={access} />
    </div>
  );
}

function Unlock({ onAccess }: { readonly onAccess: (access: ClientAccess) => void }) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const open = useMutation({ mutationFn: () => openClientAccess(id.trim(), secret.trim()), onSuccess: onAccess });
  return (
    <div className={columns['columns']}>
      <Card title={pageText('unlock')}>
        <p className={columns['note']}>{pageText('unlock.text')}</p>
        <p className={columns['note']}>{pageText('unlock.how')}</p>
        <Form label={pageText('unlock')} onSubmit={() => open.mutate()}>
          <TextField label={pageText('id')} value={id} onChange={setId} />
          <TextField label={pageText('secret')} type="password" value={secret} onChange={setSecret} />
          {open.isError && (
            <Refusal
              error={open.error}
              {...(isWrongSecret(open.error) && { explanation: pageText('wrong'), texts: [] })}
            />
          )}
          <p>
            <button
              type="submit"
              className="button main"
              disabled={open.isPending || id.trim() === '' || secret.trim() === ''}
            >
              {pageText('start')}
            </button>
          </p>
        </Form>
      </Card>
    </div>
  );
}
