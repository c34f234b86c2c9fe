import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import type { PathElement } from '../../../../src/core/schema/path-element.ts'
import { isHandedOver, stepTo } from '../../../../src/engine/reconcile/apply/managed-fields.ts'
import { type FieldPath, parseFieldPath } from '../../../../src/engine/role/field-path.ts'

function pathOf(text: string): FieldPath {
  const parsed = parseFieldPath(text)
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return parsed.path
}

const WEB = 'k:{"name":"web"}'

describe('a field of an entry of managedFields', () => {
  const fields: readonly { name: string; field: readonly string[]; path: string; expected: boolean }[] = [
    { name: 'is handed over at its path', field: ['f:spec', 'f:replicas'], path: 'spec.replicas', expected: true },
    {
      name: 'is handed over below a path',
      field: ['f:spec', 'f:strategy', 'f:type'],
      path: 'spec.strategy',
      expected: true,
    },
    { name: 'is not handed over above a path', field: ['f:spec'], path: 'spec.replicas', expected: false },
    {
      name: 'is handed over in an item by its keys',
      field: ['f:spec', 'f:list', WEB, 'f:image'],
      path: 'spec.list[name=web].image',
      expected: true,
    },
    {
      name: 'is not handed over in an item of a set, which has no keys',
      field: ['f:spec', 'f:list', 'v:"web"'],
      path: 'spec.list[name=web]',
      expected: false,
    },
  ]
  for (const { name, field, path, expected } of fields) {
    it(name, () => expect(isHandedOver(field, [pathOf(path)])).to.equal(expected))
  }

  const steps: readonly { element: PathElement; value: JsonValue; step: string | number | undefined }[] = [
    { element: 'f:a', value: { a: 1 }, step: 'a' },
    { element: 'f:a', value: { b: 1 }, step: undefined },
    { element: 'f:a', value: 'a', step: undefined },
    { element: WEB, value: [{ name: 'side' }, { name: 'web' }], step: 1 },
    { element: 'v:"web"', value: ['side', 'web'], step: 1 },
    { element: 'v:"web"', value: ['side'], step: undefined },
    { element: 'i:1', value: ['a', 'b'], step: 1 },
    { element: 'i:1', value: ['a'], step: undefined },
  ]
  for (const { element, value, step } of steps) {
    it(`${element} stands in ${JSON.stringify(value)} ${step === undefined ? 'nowhere' : `at ${step}`}`, () =>
      expect(stepTo(element, value)).to.equal(step))
  }
})
