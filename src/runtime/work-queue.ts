/** Classes of work, the first served first: what people do, what children do, what failed, what can wait. */
export type Priority = 'edit' | 'child' | 'retry' | 'backlog'
