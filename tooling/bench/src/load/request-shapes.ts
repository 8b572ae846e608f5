import { identityId, type Question } from '../world/create-world.ts';
import { createRandom } from '../world/random.ts';

/** A predict without its target. */
export interface PredictRequest {
  readonly body: string;
  /** The value of the header, null if there is none. */
  readonly accept: string | null;
}

/** Requests that all carry the same additions, or additions drawn for each. */
export interface RequestShape {
  readonly name: string;
  readonly requests: readonly PredictRequest[];
}

/** What callers may send in addition to the required properties. */
const ADDITIONS = ['`clientMetadata`', '`name` in refs', 'windows in refs', '`Accept`'] as const;

const WINDOW = { start: '2026-01-01T00:00:00Z', end: '2099-01-01T00:00:00Z' };

/** The same questions in every shape. In the first, each addition is part of every second request, drawn independently. */
export function shapeRequests(questions: readonly Question[], seed: number): readonly RequestShape[] {
  const random = createRandom(seed);
  const shape = (name: string, additionsOf: () => readonly string[]): RequestShape => ({
    name,
    requests: questions.map((question) => requestWith(question, new Set(additionsOf()))),
  });
  return [
    shape('all shapes, drawn', () => ADDITIONS.filter(() => random.next() < 0.5)),
    shape('required properties only', () => []),
    ...ADDITIONS.map((addition) => shape(`with ${addition}`, () => [addition])),
  ];
}

function requestWith({ identity, accessRefs }: Question, additions: ReadonlySet<string>): PredictRequest {
  const [metadata, names, windows, accept] = ADDITIONS.map((addition) => additions.has(addition));
  const body = {
    identityId: identityId(identity),
    accessRefs: accessRefs.map((ref) => ({
      ...ref,
      ...(names ? { name: `Entitlement ${Number(ref.id.slice(-6))}` } : {}),
      ...(windows ? WINDOW : {}),
    })),
    ...(metadata ? { clientMetadata: { requestedBy: 'portal', ticket: `REQ-${1_000_000 + identity}` } } : {}),
  };
  return { body: JSON.stringify(body), accept: accept ? 'application/json' : null };
}
