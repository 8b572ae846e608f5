import type { SodPolicy } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { FORM_TEXTS } from '../policy-form/texts.ts';
import { draftOf, sidesOf } from '../service/policy/draft.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { Card } from '../ui/card.tsx';
import { Facts } from '../ui/facts.tsx';
import styles from './reading.module.css';

const ADVICE = ['description', 'correctionAdvice', 'compensatingControls', 'externalPolicyReference'] as const;

/** A policy to read, for a session that may not change it: its rule as sentences and lists, and its other fields. */
export function Reading({ policy }: { readonly policy: SodPolicy }) {
  const formText = usePageTexts(FORM_TEXTS);
  const { number } = useSpeech();
  const draft = draftOf(policy);
  const sides = sidesOf(draft);
  const said = ADVICE.filter((aspect) => draft[aspect] !== '');
  return (
    <>
      <Card title={formText('rule')}>
        <p>
          {draft.form === 'K_OF_N'
            ? `${formText('at-least')} ${formText('at-least.of', { some: number(draft.atLeast), all: number(sides.length) })}.`
            : formText(`${draft.form}.violated` as const)}
        </p>
        <div className={styles['sides']}>
          {sides.map(({ key, name, items }, at) => (
            <section key={key} aria-label={formText('side', { count: at + 1 })}>
              <h3 dir="auto">{name === '' ? formText('side', { count: at + 1 }) : name}</h3>
              <ul>
                {items.map((item) => (
                  <li key={item.id} dir="auto">
                    {item.isDeleted ? (
                      item.name
                    ) : (
                      <AccessLink of={{ type: 'ENTITLEMENT', id: item.id }}>
                        <bdi>{item.name}</bdi>
                      </AccessLink>
                    )}
                    {item.isDeleted && <span className={styles['deleted']}> {formText('item.deleted')}</span>}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Card>
      <Card title={formText('details')}>
        <Facts
          facts={[
            {
              name: formText('owner'),
              value:
                draft.owner === null ? (
                  formText('owner.none')
                ) : (
                  <Link to="/people/$id" params={{ id: draft.owner.id }}>
                    {draft.owner.name}
                  </Link>
                ),
            },
            ...said.map((aspect) => ({ name: formText(aspect), value: draft[aspect] })),
          ]}
        />
      </Card>
    </>
  );
}
