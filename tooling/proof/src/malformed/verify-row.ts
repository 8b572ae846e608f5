import { codeOf, isOfParser, verifyRefusal } from '../http/verify-refusal.ts';
import type { Conversation } from './converse.ts';
import { isHead, type MalformedRow } from './malformed-row.ts';

/** The first difference between a conversation and its row; null if there is none. */
export function verifyRow(row: MalformedRow, conversation: Conversation): string | null {
  const { answers: expected, leaves } = row;
  const codes = conversation.answers.map(codeOf);
  if (codes.join() !== expected.join() || conversation.leaves !== leaves)
    return `${codes.join(', ') || 'no answer'}, then ${conversation.leaves}, instead of ${expected.join(', ') || 'none'}, then ${leaves}`;
  for (const answer of conversation.answers) {
    if (answer.status < 400 || isOfParser(answer)) continue;
    const isToken = expected.some((code) => / (invalid|unsupported)_/.test(code));
    const fault = verifyRefusal(answer, { isHead: isHead(row), isToken });
    if (fault !== null) return `${answer.status} is invalid: ${fault}`;
  }
  return null;
}
