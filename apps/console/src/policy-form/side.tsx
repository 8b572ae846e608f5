import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { Choice } from '../service/look-ups.ts';
import { addItems, type DraftSide } from '../service/policy/draft.ts';
import { itemsOfChoice, itemsQuery } from '../service/policy/items.ts';
import { Failure } from '../ui/failure.tsx';
import { FieldErrors } from '../ui/fields/field.tsx';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import styles from './rule.module.css';
import { FORM_TEXTS } from './texts.ts';

export interface SideProps {
  readonly side: DraftSide;
  /** Which side it is, from 1. */
  readonly count: number;
  readonly refusals: readonly string[] | undefined;
  readonly nameRefusals: readonly string[] | undefined;
  readonly onChange: (side: DraftSide) => void;
  /** Undefined where the side cannot be removed. */
  readonly onRemove: (() => void) | undefined;
}

/** A side of a rule: its name and its entitlements. */
export function Side({ side, count, refusals, nameRefusals, onChange, onRemove }: SideProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  const api = useApi();
  const id = useId();
  // The answer to a choice is added to the side as it is by then.
  const present = useRef({ side, onChange });
  useEffect(() => {
    present.current = { side, onChange };
  });
  const add = useMutation({
    mutationFn: (choice: Choice) => itemsOfChoice(api, choice),
    onSuccess: (items) => present.current.onChange(addItems(present.current.side, items)),
  });
  return (
    <section className={styles['side']} aria-labelledby={id}>
      <div className={styles['head']}>
        <h3 id={id}>{pageText('side', { count })}</h3>
        {onRemove !== undefined && (
          <button type="button" className="button" onClick={onRemove}>
            {pageText('side.remove', { count })}
          </button>
        )}
      </div>
      <TextField
        label={pageText('side.name', { count })}
        value={side.name}
        errors={nameRefusals}
        onChange={(name) => onChange({ ...side, name })}
      />
      <Items side={side} onChange={onChange} />
      <FieldErrors errors={refusals} />
      <LookUpField
        label={pageText('side.items.add', { count })}
        offer={(typed) => itemsQuery(api, typed)}
        onChoose={(choice) => add.mutate(choice)}
      />
      {add.isError && (
        <Failure error={add.error} title={pageText('side.items.failed')} onRetry={() => add.mutate(add.variables)} />
      )}
    </section>
  );
}

function Items({ side, onChange }: Pick<SideProps, 'side' | 'onChange'>) {
  const pageText = usePageTexts(FORM_TEXTS);
  if (side.items.length === 0) return <p className={styles['none']}>{pageText('side.items.none')}</p>;
  return (
    <ul className={styles['items']}>
      {side.items.map(({ id, name, isDeleted }) => (
        <li key={id}>
          <span dir="auto">
            {name}
            {isDeleted && <span className={styles['deleted']}> {pageText('item.deleted')}</span>}
          </span>
          <button
            type="button"
            aria-label={pageText('item.remove', { name })}
            onClick={() => onChange({ ...side, items: side.items.filter((item) => item.id !== id) })}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
