import type { Defect } from './defect.ts'

export const OPERATOR_DEFECTS: readonly Defect[] = [
  {
    name: 'a write of a former term leaves after the term is over',
    faultClass: 'lease not checked',
    file: 'operator/operator.ts',
    search: 'if (term.isOver) throw notLeading()',
    replace: '',
    seenBy: ['operator/leadership.test.ts'],
  },
  {
    name: 'a reload tears down resources without permission',
    faultClass: 'unwanted teardown',
    file: 'operator/operator.ts',
    search: 'const refusal = this.#options.allowTeardown ?',
    replace: 'const refusal = this.#options.allowTeardown !== null ?',
    seenBy: ['operator/selectors.test.ts', 'operator/replace-project.test.ts', 'operator/spared-resources.test.ts'],
  },
  {
    name: 'a start tears down resources that a new selector does not reach',
    faultClass: 'unwanted teardown',
    file: 'operator/resources-without-role.ts',
    search: 'const lost = allowTeardown ? [] :',
    replace: 'const lost = allowTeardown !== null ? [] :',
    seenBy: ['operator/spared-resources.test.ts'],
  },
  {
    name: 'a status write of our own runs the role again',
    faultClass: 'hot loop',
    file: 'operator/event-triggers.ts',
    search: 'if (jsonEquals(before, after)) return undefined',
    replace: 'if (before === after) return undefined',
    seenBy: ['operator/faults.test.ts'],
  },
  {
    name: 'a deletion does not run the role',
    faultClass: 'lost event',
    file: 'operator/event-triggers.ts',
    search: "if (event.type === 'deleted' || (isTerminating(event.object) && !isTerminating(event.old))) {",
    replace:
      "if (event.type === 'updated' && isTerminating(event.object)) return undefined\n  if (event.type === 'deleted') {",
    seenBy: ['operator/finalize.test.ts', 'operator/finalizer.test.ts'],
  },
  {
    name: 'a reload starts a kind before its former controller has ended',
    faultClass: 'concurrent runs',
    file: 'operator/operator.ts',
    search: 'const stopped = former\n',
    replace: 'const stopped = Promise.resolve(former && undefined)\n',
    seenBy: ['operator/reload-overlap.test.ts'],
  },
  {
    name: 'a controller that a defect has ended is forgotten',
    faultClass: 'lost controller',
    file: 'operator/operator.ts',
    search: '.catch((error) => void this.#startAgain(kind, running, { error, term }))',
    replace: '.catch((error) => void [error, running])',
    seenBy: ['operator/failed-controller.test.ts'],
  },
]
