/** What operators ask of a server: its figures, and who wrote what. */
export { createAuditLog, type AuditLog, type Written } from './audit-log.ts';
export { createMetrics, type Metrics, type MetricsParts } from './metrics.ts';
export { createMetricsEdge } from './metrics-edge.ts';
export { observeAll, outcomeOf, type Outcome } from './observed-calls.ts';
