import type { AccessRef } from '../access-model/records.ts';
import { uniteEntitlements } from '../evaluation/expand-access.ts';
import { countOppositeSides, findViolated } from '../evaluation/find-violated.ts';
import { markAccess } from '../evaluation/marked-access.ts';
import { type ResolvedRequest, resolveRequest } from '../evaluation/resolve-request.ts';
import type { NotFound, ReferenceNotFound } from '../result/failure.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { predictJsonInSteps } from './predict-json-in-steps.ts';
import { violationJson } from './violation-json.ts';

/** The JSON text of an answer of `predict`. */
export type PredictJson = (
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
) => Result<string | Iterable<string>, ReferenceNotFound | NotFound>;

// The work of a fraction of a millisecond: so many sides judged, see `predictJsonInSteps`.
const STEP_WORK = 1_024;

/**
 * The JSON text of what `predict` answers, and its failures. The text comes whole where that is little work; else in
 * steps of little work each, its pieces in order, many of them empty while violations are still being looked for. Other
 * predictions may run between steps.
 */
export const predictJson: PredictJson = createPredictJson(STEP_WORK);

/** A `predictJson` that pauses after so much work, and answers at once what takes less. */
export function createPredictJson(stepWork: number): PredictJson {
  return (index, held, accessRefs) => {
    const request = resolveRequest(index, held, accessRefs);
    if (!request.ok) return request;
    return ok(jsonAtOnce(index, request.value, stepWork) ?? predictJsonInSteps(index, request.value, stepWork));
  };
}

// Null where it is too much work.
function jsonAtOnce(index: SodIndex, { held, parts }: ResolvedRequest, workMax: number): string | null {
  let size = 0;
  for (const { length } of parts) size += length;
  if (size > workMax) return null;
  const requested = uniteEntitlements(index.catalogue, parts);
  const oppositeSides = countOppositeSides(index, requested);
  if (oppositeSides === 0) return '{"violationContexts":[]}';
  if (oppositeSides > workMax) return null;
  const access = markAccess(index, held, requested);
  const violated = findViolated(index, requested, access);
  if (violated.length * violationWork(index) > workMax) return null;
  let json = '{"violationContexts":[';
  for (const number of violated) {
    if (number !== violated[0]) json += ',';
    json += violationJson(index, number, access);
  }
  return `${json}]}`;
}

// Violations have few items as a rule, and fifty a side at most.
const SIDE_WORK = 8;

const violationWork = ({ compiled, overlay }: SodIndex) =>
  SIDE_WORK * Math.max(2, compiled.wide?.sideCountMax ?? 0, overlay?.table.wide?.sideCountMax ?? 0);
