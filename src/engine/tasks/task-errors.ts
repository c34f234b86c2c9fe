/** What can be wrong with the body of a task. A code once used is never reused. */
export const TASK_ERRORS = {
  RB1401: '`apiVersion` and `kind` must be literal: rights and watches are computed from them',
  RB1402: 'A manifest needs `metadata.name`',
  RB1403: '`generateName` is refused: a name must be the same in every run',
  RB1404: 'The status of an object that is ensured belongs to its controller',
  RB1405: '`observedGeneration` and the conditions Ready, Reconciling and Stalled are set by the engine',
  RB1406: 'A `list` takes `labels` or `selector`, not both',
  RB1407: 'A duration is written like `30s`, `5m` or `1h30m`',
  RB1408: 'A patch must set something besides the name of its object',
  RB1420: 'An event is of type `Normal` or `Warning`',
  RB1421: 'The reason of an event is one word in CamelCase',
  RB1430: 'Only a Secret has values that are generated',
  RB1431: 'A key of a Secret is generated or given, not both',
  RB1440: 'A kind whose objects are never deleted to be made anew',
} as const
