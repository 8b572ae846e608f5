import { useId } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { addSide, changeSide, type PolicyDraft, removeSide, SIDES_MAX, sidesOf } from '../service/policy/draft.ts';
import type { Place } from '../service/policy/refusals.ts';
import { FORMS } from '../service/policy/terms.ts';
import { Card } from '../ui/card.tsx';
import { FieldErrors } from '../ui/fields/field.tsx';
import styles from './rule.module.css';
import { Side } from './side.tsx';
import { FORM_TEXTS } from './texts.ts';

/** A part of the form of a policy. */
export interface FormPartProps {
  readonly draft: PolicyDraft;
  readonly change: (part: Partial<PolicyDraft>) => void;
  /** What the service says against parts of the form. */
  readonly refusals: ReadonlyMap<Place, readonly string[]>;
}

/** The access that no person may hold together. */
export function Rule({ draft, change, refusals }: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  const sides = sidesOf(draft);
  return (
    <Card title={pageText('rule')}>
      <Forms draft={draft} change={change} />
      <Violated draft={draft} change={change} refusals={refusals} />
      <FieldErrors errors={refusals.get('sides')} />
      <div className={styles['sides']}>
        {sides.map((side, at) => (
          <Side
            key={side.key}
            side={side}
            count={at + 1}
            refusals={refusals.get(`side ${at}`)}
            nameRefusals={refusals.get(`side ${at} name`)}
            onChange={(changed) => change(changeSide(draft, changed))}
            onRemove={
              draft.form === 'K_OF_N' && sides.length > 2 ? () => change(removeSide(draft, side.key)) : undefined
            }
          />
        ))}
      </div>
      {draft.form === 'K_OF_N' && sides.length < SIDES_MAX && (
        <p>
          <button type="button" className="button" onClick={() => change(addSide(draft))}>
            {pageText('side.add')}
          </button>
        </p>
      )}
    </Card>
  );
}

function Forms({ draft, change }: Pick<FormPartProps, 'draft' | 'change'>) {
  const pageText = usePageTexts(FORM_TEXTS);
  const name = useId();
  return (
    <fieldset className={styles['forms']}>
      <legend className="away">{pageText('rule.form')}</legend>
      {FORMS.map((form) => (
        <label key={form}>
          <input type="radio" name={name} checked={draft.form === form} onChange={() => change({ form })} />
          {pageText(form)}
        </label>
      ))}
    </fieldset>
  );
}

/** When the rule is violated, in words. */
function Violated({ draft, change, refusals }: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  const { number } = useSpeech();
  const id = useId();
  if (draft.form !== 'K_OF_N')
    return <p className={styles['violated']}>{pageText(`${draft.form}.violated` as const)}</p>;
  const choices = Array.from({ length: draft.sides.length - 1 }, (_, at) => at + 2);
  return (
    <div className={styles['violated']}>
      <label htmlFor={id}>{pageText('at-least')}</label>{' '}
      <select
        id={id}
        value={draft.atLeast}
        aria-invalid={refusals.has('atLeast')}
        onChange={({ target }) => change({ atLeast: Number(target.value) })}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {pageText('at-least.of', { some: number(choice), all: number(draft.sides.length) })}
          </option>
        ))}
      </select>
      <FieldErrors errors={refusals.get('atLeast')} />
    </div>
  );
}
