import { expect } from 'chai'
import { pipelineOf, refusalsOf } from '../pipeline-of.ts'

describe('The selector of a workload', () => {
  it('does not go', () => {
    const labels = { app: 'web' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }
    const spec = { selector: { matchLabels: labels }, template }
    const given = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'a' }, spec }
    const refusals = refusalsOf(pipelineOf('ReplicaSet'), { given, update: { spec: { selector: null } } })
    expect(refusals).to.deep.equal([
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      'spec.selector: Invalid value: null: field is immutable',
    ])
  })
})
