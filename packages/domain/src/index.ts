export { compileGivers } from './access-givers.ts';
export * from './access-model.ts';
export { isTimed } from './access-over-time.ts';
export {
  type AccessRefTable,
  createAccessRefTable,
  findRef,
  numberRef,
  refTableBytes,
  type TextPart,
} from './access-ref-table.ts';
export { hasWindow, spanOf, timedAccessRef } from './access-window.ts';
export * from './apply-patch.ts';
export * from './audit-event.ts';
export * from './auth-profile.ts';
export * from './auth-user.ts';
export * from './capability.ts';
export { changePolicies, type PolicyChanges } from './change-policies.ts';
export { changeLintRulebook, compileLintRulebook } from './compile-lint-rulebook.ts';
export { compilePolicyTables } from './compile-policy-tables.ts';
export { concludeCheckInTime } from './conclude-check-in-time.ts';
export {
  type ApprovedException,
  type CoveredPolicies,
  type CoveringException,
  coveredAt,
} from './covered-policies.ts';
export { describeError, type ErrorDescription } from './describe-error.ts';
export { EMBEDDING_ORIGINS_MAX, parseEmbeddingOrigins } from './embedding-origins.ts';
export { type ExpandedAccess, expandAccess } from './expand-access.ts';
export type { AccessGraph, AccessPath, AccessReason, AccessSource, NamedAccessRef } from './explain-access.ts';
export {
  type Explanation,
  explainViolations,
  type PredictionToExplain,
  predictToExplain,
} from './explain-violations.ts';
export * from './failure.ts';
export { CAUSES_MAX, type Fault } from './fault.ts';
export { type ConflictFinder, createConflictFinder, createFinderMemory, type FinderMemory } from './find-conflicts.ts';
export { expandAssignments, type HeldAccess, type TimedEntitlements } from './held-access.ts';
export { entitlementIdsOf, isInConflict, violates } from './held-conflict.ts';
export { createHoldingsWriter, type Holdings, type HoldingsWriter, holdersOf, holdingsBytes } from './holdings.ts';
export {
  type IdsByKind,
  type ImportFootprint,
  importFootprint,
  KIND_OF_ACCESS,
  type StoredKind,
} from './import-references.ts';
export * from './json-patch.ts';
export { judgeBlastRadius } from './judge-blast-radius.ts';
export { type DryRunBase, findDoubtfulChanges, judgeDryRun, judgeDryRunReferences } from './judge-dry-run.ts';
export { heldStretches, judgeOverTime, type OpenSightings } from './judge-over-time.ts';
export {
  createDryRunJudge,
  createGainJudge,
  createScanJudge,
  type ReportJudge,
  type TakeViolation,
} from './judge-report.ts';
export * from './lint-finding.ts';
export type { LintFocus } from './lint-focus.ts';
export { IMPORT_WARNINGS_MAX, type LintRequest, lintInFocus } from './lint-in-focus.ts';
export { lintPolicies } from './lint-policies.ts';
export type { LintRulebook } from './lint-rulebook.ts';
export * from './operation.ts';
export { inPieces } from './pace.ts';
export { packSodIndex, unpackSodIndex, unpackSodIndexInSteps } from './pack-sod-index.ts';
export * from './plan-import.ts';
export type { Gain, HeldAccessLists } from './policy-holders.ts';
export { judgeAccessRefs, predict } from './predict.ts';
export { predictJson } from './predict-json.ts';
export { predictTimedJson, predictTimedToExplain } from './predict-timed.ts';
export {
  type KOfNConflict,
  type NamedViolationSide,
  type PolicyAdvice,
  predictViolations,
  type TwoSidedConflict,
  type ViolationContext,
  type ViolationItem,
  type ViolationPrediction,
  type ViolationSide,
} from './predict-violations.ts';
export { type Remediation, remediateInSteps, type Situation } from './remediation.ts';
export {
  type ReportedSides,
  type ReportLine,
  type ReportPolicy,
  showReportLine,
} from './report-policy.ts';
export * from './result.ts';
export { situationsOf } from './situations.ts';
export { entitlementAt, type SodCatalogue, type SodEntitlement } from './sod-catalogue.ts';
export * from './sod-check.ts';
export * from './sod-exception.ts';
export { compileSodIndex, compileSodIndexInSteps, type SodIndex } from './sod-index.ts';
export { lintRulebookBytes, sodIndexBytes } from './sod-index-bytes.ts';
export * from './sod-policy.ts';
export type { ViolatedPolicy } from './sod-policy-table.ts';
export * from './sod-policy-view.ts';
export * from './sod-report.ts';
export * from './ui-metadata.ts';
