import type { Defect } from './defect.ts'

export const OPERATOR_DEFECTS: readonly Defect[] = [
  {
    name: 'a write of a former term leaves after the term is over',
    faultClass: 'lease not checked',
    file: 'engine/operator/running-controllers.ts',
    search: 'if (term.isOver) throw notLeading()',
    replace: '',
    seenBy: ['engine/operator/leadership.test.ts'],
  },
  {
    name: 'a reload tears down resources without permission',
    faultClass: 'unwanted teardown',
    file: 'engine/operator/operator.ts',
    search: 'const refusal = this.#options.allowTeardown ?',
    replace: 'const refusal = this.#options.allowTeardown !== null ?',
    seenBy: [
      'engine/operator/watching/selectors.test.ts',
      'engine/operator/replace-project.test.ts',
      'engine/operator/without-role/spared-resources.test.ts',
    ],
  },
  {
    name: 'a start tears down resources that a new selector does not reach',
    faultClass: 'unwanted teardown',
    file: 'engine/operator/without-role/resources-without-role.ts',
    search: 'const lost = allowTeardown ? [] :',
    replace: 'const lost = allowTeardown !== null ? [] :',
    seenBy: ['engine/operator/without-role/spared-resources.test.ts'],
  },
  {
    name: 'a status write of our own runs the role again',
    faultClass: 'hot loop',
    file: 'engine/operator/watching/change-router.ts',
    search: 'if (jsonEquals(before, after)) return undefined',
    replace: 'if (before === after) return undefined',
    seenBy: ['engine/operator/faults.test.ts'],
  },
  {
    name: 'a deletion does not run the role',
    faultClass: 'lost event',
    file: 'engine/operator/watching/change-router.ts',
    search: "if (event.type === 'deleted' || (isTerminating(event.object) && !isTerminating(event.old))) {",
    replace:
      "if (event.type === 'updated' && isTerminating(event.object)) return undefined\n  if (event.type === 'deleted') {",
    seenBy: ['engine/operator/deletion/finalize.test.ts', 'engine/operator/ownership/finalizer.test.ts'],
  },
  {
    name: 'a reload starts a kind before its former controller has ended',
    faultClass: 'concurrent runs',
    file: 'engine/operator/running-controllers.ts',
    search: 'const stopped = former\n',
    replace: 'const stopped = Promise.resolve(former && undefined)\n',
    seenBy: ['engine/operator/reload-overlap.test.ts'],
  },
  {
    name: 'a controller that a defect has ended is forgotten',
    faultClass: 'lost controller',
    file: 'engine/operator/running-controllers.ts',
    search: '.catch((error) => void this.#startAgain(kind, running, { error, term }))',
    replace: '.catch((error) => void [error, running])',
    seenBy: ['engine/operator/failed-controller.test.ts'],
  },
]
