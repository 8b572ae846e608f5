import type { Heard } from './converse.ts';
import type { DoorRow } from './door-row.ts';
import { codeOf, faultOfRefusal, isOfParser } from './judge-answer.ts';

/** Why what was heard is not what the row says; null when it is. */
export function faultOfRow({ answers: expected, leaves, isHead }: DoorRow, heard: Heard): string | null {
  const codes = heard.answers.map(codeOf);
  if (codes.join() !== expected.join() || heard.leaves !== leaves)
    return `${codes.join(', ') || 'no answer'}, then ${heard.leaves}, instead of ${expected.join(', ') || 'none'}, then ${leaves}`;
  for (const answer of heard.answers) {
    if (answer.status < 400 || isOfParser(answer)) continue;
    const isToken = expected.some((code) => / (invalid|unsupported)_/.test(code));
    const fault = faultOfRefusal(answer, { isHead: isHead === true, isToken });
    if (fault !== null) return `${answer.status} with a fault: ${fault}`;
  }
  return null;
}
