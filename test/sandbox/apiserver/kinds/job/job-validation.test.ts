import { expect } from 'chai'
import { pipelineOf, refusalsOf } from '../pipeline-of.ts'

describe('A Job that chose no selector', () => {
  it('keeps the label by which its pods are found', () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx' }] } }
    const given = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: { template } }
    const update = { spec: { template: { metadata: { labels: { 'controller-uid': null } } } } }
    const [first, second] = refusalsOf(pipelineOf('Job'), { given, update })
    expect(first).to.equal(
      "spec.template.metadata.labels[controller-uid]: Required value: must be '00000000-0000-0000-0000-000000000000'",
    )
    expect(second).to.match(/^spec\.template: Invalid value: \{.*\}: field is immutable$/)
  })
})
