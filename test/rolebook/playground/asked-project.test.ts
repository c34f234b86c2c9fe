import { expect } from 'chai'
import { shippedProjects } from '../../../bin/shipped-projects.ts'
import {
  askedFor,
  mainFileOf,
  type ShippedProject,
  tourOf,
} from '../../../src/rolebook/playground/page/asked-project.ts'
import { toFragment } from '../../../src/rolebook/playground/share-link.ts'

const FIRST: ShippedProject = { name: 'first', files: { 'watches.yaml': '[]\n' } }
const SECOND: ShippedProject = { name: 'second', files: { 'watches.yaml': '[]\n# second\n' } }

describe('the project that an address asks for', () => {
  const shipped = [FIRST, SECOND]

  it('is the first when it asks for none', async () => expect(await askedFor('', shipped)).to.equal(FIRST))

  it('is the example that it names', async () => expect(await askedFor('#example=second', shipped)).to.equal(SECOND))

  it('is that of a link, which has no name', async () => {
    const files = { 'watches.yaml': '[]\n# of a link\n' }
    expect(await askedFor(`#${await toFragment(files)}`, shipped)).to.deep.equal({ name: '', files })
  })

  it('is that of the tour, with one more resource', async () => {
    const { name, files } = await askedFor('#tour', shippedProjects())
    expect(name).to.equal('tour')
    expect(files['roles/memcached/samples/second.yaml']).to.include('name: memcached-second')
  })

  it('is empty when the page brings none along', async () => {
    expect(await askedFor('', [])).to.deep.equal({ name: '', files: {} })
  })

  it('is the first for the tour when the page lacks its project', () => {
    expect(tourOf(shipped).files).to.include(FIRST.files)
  })
})

describe('the file that is opened first', () => {
  const cases = [
    { name: 'is a role', paths: ['watches.yaml', 'roles/web/crd.yaml', 'roles/web/role.yaml'], main: 2 },
    { name: 'is the first where there is no role', paths: ['watches.yaml', 'roles/web/crd.yaml'], main: 0 },
  ]
  for (const { name, paths, main } of cases) {
    it(name, () => expect(mainFileOf(Object.fromEntries(paths.map((path) => [path, ''])))).to.equal(paths[main]))
  }

  it('is none where there are no files', () => expect(mainFileOf({})).to.equal(''))
})
