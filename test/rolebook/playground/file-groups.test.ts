import { expect } from 'chai'
import { groupFiles } from '../../../src/rolebook/playground/page/file-groups.ts'

const PATHS = [
  ...['watches.yaml', 'roles/web/tests/life.yaml', 'roles/web/role.yaml', 'roles/db/role.yaml', 'roles/web/crd.yaml'],
  ...['roles/flat.yaml', 'roles/web/samples/one.yaml'],
]

describe('the list of files', () => {
  it('has a group for each role, in which files come before folders, and what is of no role last', () => {
    const files = Object.fromEntries(PATHS.map((path) => [path, '']))
    expect(groupFiles(files)).to.deep.equal([
      { folder: 'roles/db/', names: ['role.yaml'] },
      { folder: 'roles/web/', names: ['crd.yaml', 'role.yaml', 'samples/one.yaml', 'tests/life.yaml'] },
      { folder: '', names: ['watches.yaml', 'roles/flat.yaml'] },
    ])
  })

  it('is empty without files', () => expect(groupFiles({})).to.deep.equal([]))
})
