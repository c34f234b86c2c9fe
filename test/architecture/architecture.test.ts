import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { cycleFaults, homeFaults, kindNameFaults, layerFaults, lengthFaults, mapFaults } from './faults.ts'
import { readSources, type SourceText } from './source-tree.ts'

const root = join(import.meta.dirname, '../../src')
const sources = readSources(root)
const map = readFileSync(join(root, 'README.md'), 'utf8')

describe('the architecture of src', () => {
  it('has imports that go down only', () => expect(layerFaults(sources)).to.deep.equal([]))
  it('uses each library in its home', () => expect(homeFaults(sources)).to.deep.equal([]))
  it('has no circle of imports', () => expect(cycleFaults(sources)).to.deep.equal([]))
  it('has no file over 500 lines', () => expect(lengthFaults(sources)).to.deep.equal([]))
  it('names no kind of task in code that serves all kinds', () => expect(kindNameFaults(sources)).to.deep.equal([]))
  it('has a map that equals the folders', () => expect(mapFaults(sources, map)).to.deep.equal([]))
  it('has a map of at most 120 lines', () => expect(map.split('\n').length).to.be.at.most(120))
})

describe('the architecture test itself', () => {
  const file = (path: string, text: string): SourceText => ({ path, text })
  const cases = [
    {
      name: 'sees an import that goes up',
      found: () => layerFaults([file('kube/object.ts', "import type { Role } from '../role/role.ts'")]),
      names: 'kube/object.ts -> role/role.ts',
    },
    {
      name: 'sees an import that goes sideways',
      found: () => layerFaults([file('runtime/queue.ts', "export { Role } from '../role/role.ts'")]),
      names: 'runtime/queue.ts -> role/role.ts',
    },
    {
      name: 'sees a library outside its home',
      found: () => homeFaults([file('role/role.ts', "import { parse } from 'yaml'")]),
      names: 'role/role.ts imports yaml',
    },
    {
      name: 'sees a library that has no home',
      found: () => homeFaults([file('role/role.ts', "import lodash from 'lodash/fp'")]),
      names: 'role/role.ts imports lodash/fp',
    },
    {
      name: 'sees a circle of type-only imports',
      found: () =>
        cycleFaults([
          file('base/a.ts', "import type { B } from './b.ts'"),
          file('base/b.ts', "import type { A } from './a.ts'"),
        ]),
      names: 'base/a.ts -> base/b.ts -> base/a.ts',
    },
    {
      name: 'sees a test for a kind of task',
      found: () => kindNameFaults([file('role/check.ts', "if (draft.kind.name === 'set') return")]),
      names: 'role/check.ts asks for a kind of task by name',
    },
    {
      name: 'sees a table by kinds of tasks',
      found: () => kindNameFaults([file('role/check.ts', 'const check = CHECKS[draft.kind.name] ?? checkAnything')]),
      names: 'role/check.ts asks for a kind of task by name',
    },
    {
      name: 'sees a long file',
      found: () => lengthFaults([file('base/long.ts', 'x\n'.repeat(501))]),
      names: 'base/long.ts has 501 lines',
    },
    {
      name: 'sees a folder that is not on the map',
      found: () => mapFaults([file('drawer/a.ts', '')], '- `base/` tools'),
      names: 'drawer/ is missing from src/README.md',
    },
  ]
  for (const { name, found, names } of cases) {
    it(name, () => expect(found().join('\n')).to.include(names))
  }
})
