import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { Card } from '../parts/card.tsx';
import { LookUpField } from '../parts/look-up-field.tsx';
import { useApi } from '../service/api.tsx';
import { peopleQuery } from '../service/look-ups.ts';
import { LEVELS, STATES, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import styles from './details.module.css';
import { Field, Refused } from './field.tsx';
import type { FormPartProps } from './rule.tsx';
import { FORM_TEXTS } from './texts.ts';

const LONG_TEXTS = ['description', 'correctionAdvice', 'compensatingControls'] as const;

/** What a policy is called, whether it is enforced, how severe it is and whose it is. */
export function Details(props: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  return (
    <Card title={pageText('details')}>
      <ShortText {...props} aspect="name" />
      <Choices {...props} />
      <Owner {...props} />
    </Card>
  );
}

/** What a policy is for, and what it advises. */
export function Advice(props: FormPartProps) {
  const { draft, change, refusals } = props;
  const pageText = usePageTexts(FORM_TEXTS);
  return (
    <Card title={pageText('advice')}>
      {LONG_TEXTS.map((aspect) => (
        <Field
          key={aspect}
          label={pageText(aspect)}
          hint={pageText(`${aspect}.hint` as const)}
          refusals={refusals.get(aspect)}
        >
          {(control) => (
            <textarea
              {...control}
              dir="auto"
              rows={2}
              value={draft[aspect]}
              onChange={({ target }) => change({ [aspect]: target.value })}
            />
          )}
        </Field>
      ))}
      <ShortText {...props} aspect="externalPolicyReference" />
    </Card>
  );
}

interface ShortTextProps extends FormPartProps {
  readonly aspect: 'name' | 'externalPolicyReference';
}

function ShortText({ draft, change, refusals, aspect }: ShortTextProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  return (
    <Field label={pageText(aspect)} refusals={refusals.get(aspect)}>
      {(control) => (
        <input
          {...control}
          dir="auto"
          autoComplete="off"
          value={draft[aspect]}
          onChange={({ target }) => change({ [aspect]: target.value })}
        />
      )}
    </Field>
  );
}

function Choices({ draft, change, refusals }: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  const { text } = useSpeech();
  return (
    <div className={styles['choices']}>
      <Field label={pageText('state')} refusals={refusals.get('state')}>
        {(control) => (
          <select
            {...control}
            value={draft.state}
            onChange={({ target }) => change({ state: STATES.find((each) => each === target.value) ?? draft.state })}
          >
            {STATES.map((state) => (
              <option key={state} value={state}>
                {pageText(state)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={pageText('level')} refusals={refusals.get('level')}>
        {(control) => (
          <select
            {...control}
            value={draft.level}
            onChange={({ target }) => change({ level: LEVELS.find((each) => each === target.value) ?? draft.level })}
          >
            {LEVELS.map((level) => (
              <option key={level} value={level}>
                {text(`level.${VIOLATION_LEVELS[level]}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

function Owner({ draft: { owner }, change, refusals }: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  const api = useApi();
  return (
    <div className={styles['owner']}>
      <p className={styles['label']}>{pageText('owner')}</p>
      <p className={styles['chosen']}>
        <span dir="auto">{owner?.name ?? pageText('owner.none')}</span>
        {owner !== null && (
          <button
            type="button"
            aria-label={pageText('item.remove', { name: owner.name })}
            onClick={() => change({ owner: null })}
          >
            ×
          </button>
        )}
      </p>
      <LookUpField
        label={pageText('owner.choose')}
        offer={(typed) => peopleQuery(api, typed)}
        onChoose={({ id, name }) => change({ owner: { id, name } })}
      />
      <Refused texts={refusals.get('owner')} />
    </div>
  );
}
