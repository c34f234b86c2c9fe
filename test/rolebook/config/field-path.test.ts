import { expect } from 'chai'
import type { JsonPath, JsonValue } from '../../../src/core/base/json.ts'
import { pathOf } from '../../../src/rolebook/config/field-path.ts'

const OBJECT: JsonValue = { spec: { ports: [{ name: 'http' }], 'my.key': { size: 1 }, scope: 'Namespaced' } }

const cases: readonly { readonly name: string; readonly field: string; readonly path: JsonPath }[] = [
  { name: 'through an item of a list', field: 'spec.ports[0].name', path: ['spec', 'ports', 0, 'name'] },
  { name: 'through a key with a dot', field: 'spec.my.key.size', path: ['spec', 'my.key', 'size'] },
  { name: 'up to a field that was not written', field: 'spec.names.plural', path: ['spec'] },
  { name: 'up to a value, where a server speaks of more within it', field: 'spec.scope.kind', path: ['spec', 'scope'] },
]

describe('the path of a field that a server names', () => {
  for (const { name, field, path } of cases) {
    it(`leads ${name}`, () => expect(pathOf(OBJECT, field)).to.deep.equal(path))
  }
})
