import type { AuditEvent } from '@access-admin/client';
import { usePageTexts } from '../languages/context.tsx';
import { verbOf } from '../service/audit/sentence.ts';
import { useActorName } from './actor-name.tsx';
import { useResourceName } from './resource-name.tsx';
import { SENTENCE_TEXTS } from './sentence-texts.ts';

/** An entry of the audit log as a sentence: the names of its actor and its resource, and the operation. */
export function Sentence({ event }: { readonly event: AuditEvent }) {
  const sentence = usePageTexts(SENTENCE_TEXTS);
  const actor = useActorName(event.actor);
  const name = useResourceName(event);
  const { resource, outcome, operation } = event;
  const isNamed = name !== '' && name !== 'tenant';
  const what = isNamed ? sentence(`the.${resource.type}`, { name }) : sentence(`all.${resource.type}`);
  const verb = verbOf(event);
  return sentence(outcome === 'DENIED' ? `no.${verb}` : verb, { actor, what, operation });
}
