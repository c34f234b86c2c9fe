import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  areaFaults,
  cycleFaults,
  homeFaults,
  importFaults,
  kindNameFaults,
  layerFaults,
  lengthFaults,
  mapFaults,
  pathFaults,
  pipelineFaults,
} from './faults.ts'
import { AREAS } from './layers.ts'
import { readSources, type SourceText } from './source-tree.ts'

const root = join(import.meta.dirname, '../../src')
const sources = readSources(root)
const pageOf = (folder: string): string => readFileSync(join(root, folder, 'README.md'), 'utf8')
const pages = Object.fromEntries(Object.keys(AREAS).map((area) => [area, pageOf(area)]))

describe('the architecture of src', () => {
  it('has areas that import only those below', () => expect(areaFaults(sources)).to.deep.equal([]))
  it('has imports that go down only', () => expect(layerFaults(sources)).to.deep.equal([]))
  it('uses each library in its home', () => expect(homeFaults(sources)).to.deep.equal([]))
  it('has no circle of imports', () => expect(cycleFaults(sources)).to.deep.equal([]))
  it('has no file over 500 lines', () => expect(lengthFaults(sources)).to.deep.equal([]))
  it('has no file that imports too many others', () => expect(importFaults(sources)).to.deep.equal([]))
  it('has at most 45 files in reconcile/ and operator/', () => expect(pipelineFaults(sources)).to.deep.equal([]))
  it('names no kind of task in code that serves all kinds', () => expect(kindNameFaults(sources)).to.deep.equal([]))
  it('has pages whose maps equal the folders', () => expect(mapFaults(sources, pages)).to.deep.equal([]))
  it('has pages that name files that exist', () => expect(pathFaults(sources, pages)).to.deep.equal([]))
  for (const [name, page] of Object.entries({ ...pages, src: pageOf('.') })) {
    it(`has a page of at most 60 lines about ${name}`, () => expect(page.split('\n').length).to.be.at.most(60))
  }
})

describe('the architecture test itself', () => {
  const file = (path: string, text: string): SourceText => ({ path, text })
  const IMPORTS = Array.from({ length: 21 }, (_, place) => `import type { A } from './a${place}.ts'\n`).join('')
  const cases = [
    {
      name: 'sees an import of another area',
      found: () => areaFaults([file('engine/role/role.ts', "import { Cel } from '../../sandbox/apiserver/cel.ts'")]),
      names: 'engine/role/role.ts -> sandbox/apiserver/cel.ts',
    },
    {
      name: 'sees an import that goes up',
      found: () => layerFaults([file('core/kube/object.ts', "import type { Base } from '../yaml/yaml.ts'")]),
      names: 'core/kube/object.ts -> core/yaml/yaml.ts',
    },
    {
      name: 'sees an import that goes sideways',
      found: () => layerFaults([file('engine/runtime/queue.ts', "export { Role } from '../role/role.ts'")]),
      names: 'engine/runtime/queue.ts -> engine/role/role.ts',
    },
    {
      name: 'sees a library outside its home',
      found: () => homeFaults([file('engine/role/role.ts', "import { parse } from 'yaml'")]),
      names: 'engine/role/role.ts imports yaml',
    },
    {
      name: 'sees a library that has no home',
      found: () => homeFaults([file('engine/role/role.ts', "import lodash from 'lodash/fp'")]),
      names: 'engine/role/role.ts imports lodash/fp',
    },
    {
      name: 'sees a circle of type-only imports',
      found: () =>
        cycleFaults([
          file('core/base/a.ts', "import type { B } from './b.ts'"),
          file('core/base/b.ts', "import type { A } from './a.ts'"),
        ]),
      names: 'core/base/a.ts -> core/base/b.ts -> core/base/a.ts',
    },
    {
      name: 'sees a test for a kind of task',
      found: () => kindNameFaults([file('engine/role/check.ts', "if (draft.kind.name === 'set') return")]),
      names: 'engine/role/check.ts asks for a kind of task by name',
    },
    {
      name: 'sees a table by kinds of tasks',
      found: () =>
        kindNameFaults([file('engine/role/check.ts', 'const check = CHECKS[draft.kind.name] ?? checkAnything')]),
      names: 'engine/role/check.ts asks for a kind of task by name',
    },
    {
      name: 'sees a long file',
      found: () => lengthFaults([file('core/base/long.ts', 'x\n'.repeat(501))]),
      names: 'core/base/long.ts has 501 lines',
    },
    {
      name: 'sees a file that imports too many others, several imports of one as one',
      found: () => importFaults([file('engine/role/all.ts', IMPORTS.repeat(2))]),
      names: 'engine/role/all.ts imports 21 others',
    },
    {
      name: 'sees that reconcile/ and operator/ have grown',
      found: () => pipelineFaults(Array.from({ length: 46 }, (_, place) => file(`engine/reconcile/${place}.ts`, ''))),
      names: 'reconcile/ and operator/ have 46 files',
    },
    {
      name: 'sees a folder that is not on the page of its area',
      found: () => mapFaults([file('core/drawer/a.ts', '')], { core: '| `base/` | tools |' }),
      names: 'core/drawer/ is missing from the README of its area',
    },
    {
      name: 'sees a file on the page of an area that does not exist',
      found: () => pathFaults([file('core/base/a.ts', '')], { core: '`base/a.ts`, `b.ts`' }),
      names: 'the README of core names b.ts, which does not exist',
    },
  ]
  for (const { name, found, names } of cases) {
    it(name, () => expect(found().join('\n')).to.include(names))
  }
})
