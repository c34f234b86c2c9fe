import type { Operator } from '../../engine/operator/operator.ts'

/** What the dashboard reads of an operator. */
export type SeenOperator = Pick<
  Operator,
  'resources' | 'objectsOf' | 'queues' | 'watches' | 'shards' | 'hungRuns' | 'failing' | 'leads'
>
