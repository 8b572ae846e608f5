export * from './access-model.ts';
export * from './apply-patch.ts';
export * from './auth-profile.ts';
export * from './auth-user.ts';
export * from './capability.ts';
export { parseEmbeddingOrigins } from './embedding-origins.ts';
export { type ExpandedAccess, expandAccess } from './expand-access.ts';
export * from './failure.ts';
export { CAUSES_MAX, type Fault } from './fault.ts';
export {
  type IdsByKind,
  type ImportFootprint,
  importFootprint,
  KIND_OF_ACCESS,
  type StoredKind,
} from './import-references.ts';
export * from './json-patch.ts';
export * from './operation.ts';
export * from './plan-import.ts';
export * from './predict.ts';
export * from './predict-violations.ts';
export * from './result.ts';
export * from './sod-check.ts';
export { compileSodIndex, type SodIndex, type ViolatedPolicy } from './sod-index.ts';
export * from './sod-policy.ts';
export * from './ui-metadata.ts';
