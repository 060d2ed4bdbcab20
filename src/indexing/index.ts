/** Files become committed chunks: list, plan, read, redact, outline, chunk, commit. */
export { createOutcomes, planIndex, type FileOutcome, type IndexPlan, type ListedFile } from './plan.ts';
