import { type FoundViolations, releaseViolations, runsAt, startsOf } from '../evaluation/found-violations.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { TextSink } from '../steps/text-steps.ts';
import { utf8Length } from '../steps/utf8-length.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { ExceptionCoverage } from './covered-policies.ts';
import { type AccessGraph, type AccessReasons, linkAccess } from './explain-access.ts';
import { gatherOrigins, type PathOrigins } from './path-origins.ts';
import { type PolicyAdvice, violationAt } from './violation-context.ts';
import { explainedViolationJson, forEachItemId, policyIdAt, violationJson, withMembers } from './violation-json.ts';

/** The most bytes, as they are stored, of the roles and access profiles that explain one prediction or check. */
export const EXPLAINING_BUNDLES_BYTES_MAX = 8 * 2 ** 20;

/** The most bytes of the advice of policies that explains one prediction or check. */
export const EXPLAINING_ADVICE_BYTES_MAX = 16 * 2 ** 20;

/** The data that explains violations, all as of the instant of the prediction. */
export interface Explanation extends AccessGraph {
  /** Of the violated policies, by id. */
  readonly advice: ReadonlyMap<string, PolicyAdvice>;
  /** How many of the violations, from the first one on, have their advice here; all of them if left out. */
  readonly advisedCount?: number;
}

/** The room that is left for violations in a result: `writeViolations` writes those that fit and counts it down. */
export interface ViolationRoom {
  contexts: number;
  /** In UTF-8. */
  bytes: number;
}

/** What violations are written to and with. */
export interface ViolationWriting {
  readonly sink: TextSink;
  readonly budget: WorkBudget;
  readonly coverage: ExceptionCoverage | null;
  /** Unlimited if left out. */
  readonly room?: ViolationRoom;
}

// The number of characters written in one unit of work.
const CHARACTERS = 64;

/** Writes the JSON text of violations, an array, in steps, and releases them. Returns how many were written: the first ones. */
export const writeViolations = (index: SodIndex, found: FoundViolations, writing: ViolationWriting): Steps<number> =>
  writeTexts({ index, found }, writing, null);

/** The same with the reasons for their items and the advice of their policies. */
export function* writeExplainedViolations(
  index: SodIndex,
  found: FoundViolations,
  { explanation, ...writing }: ViolationWriting & { readonly explanation: Explanation },
): Steps<number> {
  const { budget } = writing;
  const origins = yield* gatherOrigins(explanation, startsOf(found), budget);
  const explainer = createExplainer(index, found, { explanation, origins, budget });
  const end = Math.min(found.policies.length, explanation.advisedCount ?? found.policies.length);
  const written = yield* writeTexts({ index, found }, writing, { end, textAt: explainer.textAt });
  explainer.release();
  return written;
}

interface FoundOn {
  readonly index: SodIndex;
  readonly found: FoundViolations;
}

interface ExplainedTexts extends Pick<Explainer, 'textAt'> {
  /** The place after the last violation that can be explained. */
  readonly end: number;
}

function* writeTexts(
  { index, found }: FoundOn,
  writing: ViolationWriting,
  explained: ExplainedTexts | null,
): Steps<number> {
  const { sink, budget, coverage, room } = writing;
  const end = explained === null ? found.policies.length : explained.end;
  let place = 0;
  sink.text += '[';
  for (; place < end; place++) {
    let text = explained === null ? violationJson(index, found, place) : yield* explained.textAt(place);
    if (coverage?.hasException(policyIdAt(index, found, place)) === true) {
      const exception = yield* coverage.coveringException(violationAt(index, found, place), budget);
      if (exception !== undefined) text = withMembers(text, `,"exception":${JSON.stringify(exception)}`);
    }
    if (room !== undefined && !takeRoom(room, text)) break;
    sink.text += place === 0 ? text : `,${text}`;
    if (isPauseDue(budget, 1 + text.length / CHARACTERS)) yield;
  }
  sink.text += ']';
  releaseViolations(found);
  return place;
}

/** Takes the room of one more text and its comma; false when it does not fit. */
function takeRoom(room: ViolationRoom, text: string): boolean {
  if (room.contexts === 0) return false;
  const bytes = utf8Length(text) + 1;
  if (bytes > room.bytes) return false;
  room.contexts -= 1;
  room.bytes -= bytes;
  return true;
}

interface Explaining {
  readonly explanation: Explanation;
  readonly origins: PathOrigins;
  readonly budget: WorkBudget;
}

interface Explainer {
  /** The text of a violation. Places are asked for in ascending order. */
  textAt(place: number): Steps<string>;
  release(): void;
}

// Reasons are prepared for the items of some violations at a time: a result that is full needs none for the rest. Their
// number grows as long as the reasons take little memory.
const ITEMS_FIRST = 256;
const ITEMS_MAX = 16_384;
const ITEMS_FACTOR = 4;
const REASONS_BYTES = 4 * 2 ** 20;

const NO_ADVICE: PolicyAdvice = { correctionAdvice: null, compensatingControls: null };

function createExplainer(
  index: SodIndex,
  found: FoundViolations,
  { explanation, origins, budget }: Explaining,
): Explainer {
  let reasons: AccessReasons | null = null;
  let chunkEnd = 0;
  let itemsMax = ITEMS_FIRST;
  const prepare = function* (place: number): Steps<AccessReasons> {
    if (reasons !== null && place < chunkEnd) return reasons;
    reasons?.release();
    const items = new Set<string>();
    for (chunkEnd = place; chunkEnd < found.policies.length && items.size < itemsMax; chunkEnd++) {
      const visited = forEachItemId(index, { found, place: chunkEnd }, (id) => items.add(id));
      if (isPauseDue(budget, 1 + visited)) yield;
    }
    reasons = yield* linkAccess({ graph: explanation, origins, budget }, items);
    const bytesOfItem = reasons.bytes / items.size + 1;
    itemsMax = Math.min(ITEMS_MAX, itemsMax * ITEMS_FACTOR, Math.ceil(REASONS_BYTES / bytesOfItem));
    return reasons;
  };
  return {
    *textAt(place) {
      const { reasonFor } = yield* prepare(place);
      const contributing = yield* origins.contributingIn(runsAt(found, place));
      const text = yield* explainedViolationJson(index, { found, place }, function* (id) {
        const { via, viaMore } = yield* reasonFor(id, contributing);
        const json = `,"via":${JSON.stringify(via)},"viaMore":${viaMore}`;
        if (isPauseDue(budget, 1 + json.length / CHARACTERS)) yield;
        return json;
      });
      return withMembers(text, adviceMembers(explanation.advice.get(policyIdAt(index, found, place)) ?? NO_ADVICE));
    },
    release: () => reasons?.release(),
  };
}

const adviceMembers = ({ correctionAdvice, compensatingControls }: PolicyAdvice): string =>
  `,"correctionAdvice":${JSON.stringify(correctionAdvice)},"compensatingControls":${JSON.stringify(compensatingControls)}`;
