import { expect } from 'chai'
import type { JsonPath } from '../../../src/core/base/json.ts'
import { isNeededField } from '../../../src/engine/role/needed-fields.ts'

function pathOf(text: string): JsonPath {
  const steps = text === '' ? [] : text.split('.')
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

describe('isNeededField', () => {
  const needed: readonly string[] = [
    'metadata.name',
    'metadata.namespace',
    'spec.template.metadata.name',
    'name',
    'namespace',
    'spec.selector',
    'spec.selector.app',
    'spec.selector.matchLabels',
    'spec.selector.matchLabels.app',
    'spec.selector.matchExpressions.0.values.0',
    'spec.podSelector',
    'spec.ingress.0.from.0.namespaceSelector.matchLabels.a',
    'spec.template.spec.nodeSelector.disk',
    'spec.template.spec.containers.0.env.0.valueFrom.secretKeyRef.name',
    'roleRef.name',
    'subjects.0.name',
    'subjects.0.namespace',
  ]
  for (const path of needed) {
    it(`needs ${path}`, () => expect(isNeededField(pathOf(path))).to.equal(true))
  }

  const optional: readonly string[] = [
    '',
    'spec.replicas',
    'metadata.labels.app',
    'metadata.labels',
    'data.name',
    'spec.ports.0.name',
    'spec.template.spec.containers.0.image',
    'spec.selectors.a',
  ]
  for (const path of optional) {
    it(`can do without ${path || 'the whole'}`, () => expect(isNeededField(pathOf(path))).to.equal(false))
  }
})
