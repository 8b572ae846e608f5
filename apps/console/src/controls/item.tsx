import { ConflictError, type Control } from '@access-admin/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { writeLength } from '../changes/limits.ts';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { controlQuery, controlsQuery } from '../service/controls.ts';
import { patchOf } from '../ui/forms/changes.ts';
import { ConfirmButton } from '../ui/forms/confirm-button.tsx';
import { Form } from '../ui/forms/form.tsx';
import { sortRefusals } from '../ui/forms/refusals.ts';
import { SaveBar } from '../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../ui/forms/use-draft.ts';
import { Loaded } from '../ui/loaded.tsx';
import { FIELDS, Fields } from './fields.tsx';
import styles from './page.module.css';
import { CONTROL_TEXTS } from './texts.ts';

export interface ControlItemProps {
  readonly control: Control;
  readonly mayChange: boolean;
}

/** A control of the list, with what changes and deletes it. */
export function ControlItem({ control, mayChange }: ControlItemProps) {
  const pageText = usePageTexts(CONTROL_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { id, name, description } = control;
  const remove = async () => {
    await api.controls.delete(id);
    queries.removeQueries({ queryKey: controlQuery(api, id).queryKey });
    await queries.invalidateQueries({ queryKey: controlsQuery(api).queryKey });
  };
  return (
    <li className={styles['control']}>
      <div className={styles['top']}>
        <div className={styles['about']}>
          <h3 dir="auto">{name}</h3>
          {description !== null && <p dir="auto">{description}</p>}
          <Facts control={control} />
        </div>
        {mayChange && (
          <div className={styles['ways']}>
            <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {pageText(isOpen ? 'close' : 'change')}
              <span className="away"> {name}</span>
            </button>
            <ConfirmButton
              label={pageText('delete')}
              of={name}
              question={pageText('delete.question', { name })}
              onConfirm={remove}
              explain={(error) => (error instanceof ConflictError ? pageText('delete.used') : null)}
            >
              {pageText('delete.text')}
            </ConfirmButton>
          </div>
        )}
      </div>
      {isOpen && mayChange && <Editor id={id} />}
    </li>
  );
}

/** How long a control lasts, whether it needs a reason, and its owner. */
function Facts({ control: { expiration, justificationRequired, owner } }: Pick<ControlItemProps, 'control'>) {
  const { locale } = useSpeech();
  const pageText = usePageTexts(CONTROL_TEXTS);
  const time = writeLength(expiration, locale);
  return (
    <p className={styles['note']}>
      {pageText('lasts', { time })} {justificationRequired && pageText('reasoned')}{' '}
      {owner !== null && <bdi>{pageText('owned', { name: owner.name ?? owner.id })}</bdi>}
    </p>
  );
}

function Editor({ id }: { readonly id: string }) {
  return <Loaded query={useQuery(controlQuery(useApi(), id))}>{(control) => <EditorForm control={control} />}</Loaded>;
}

function EditorForm({ control }: { readonly control: Versioned<Control> }) {
  const pageText = usePageTexts(CONTROL_TEXTS);
  const api = useApi();
  const draft = useDraft({
    read: control,
    queryKey: controlsQuery(api).queryKey,
    save: (changes, ifMatch) => api.controls.patch(control.value.id, patchOf(changes), { ifMatch }),
  });
  const refusals = sortRefusals(draft.error, FIELDS);
  const labels = Object.fromEntries(FIELDS.map((field) => [field, pageText(field)]));
  return (
    <Form label={control.value.name} onSubmit={draft.save}>
      <Fields value={draft.value} refusals={refusals} onChange={draft.change} />
      <SaveBar draft={draft} labels={labels} refusals={refusals} />
    </Form>
  );
}
