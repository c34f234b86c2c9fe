import { expect } from 'chai'
import { pipelineOf, refusalsOf } from '../pipeline-of.ts'

describe('An update of a pod', () => {
  it('does not put spaces around an image', () => {
    const given = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', image: 'nginx' }] },
    }
    const update = { spec: { containers: [{ name: 'c', image: ' nginx' }] } }
    const message = 'spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace'
    // The server looks at it as at a new pod, and as at a change.
    expect([...new Set(refusalsOf(pipelineOf('Pod'), { given, update }))]).to.include(message)
  })
})
