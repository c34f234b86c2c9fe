import { expect } from 'chai'
import { describeTrigger } from '../../../src/rolebook/ui/describe-trigger.ts'
import type { Trigger } from '../../../src/rolebook/ui/model.ts'

describe('why a run began', () => {
  const cases: readonly { trigger: Trigger; shown: string }[] = [
    { trigger: { kind: 'created' }, shown: 'the resource was created' },
    { trigger: { kind: 'edited', fields: ['spec.a', 'spec.b'] }, shown: 'the resource was edited: spec.a, spec.b' },
    {
      trigger: { kind: 'changed', object: 'Deployment default/web', how: 'deleted' },
      shown: 'Deployment default/web was deleted',
    },
    { trigger: { kind: 'changed' }, shown: 'an object was changed' },
  ]
  for (const { trigger, shown } of cases) it(`reads: ${shown}`, () => expect(describeTrigger(trigger)).to.equal(shown))
})
