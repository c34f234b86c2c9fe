import { expect } from 'chai'
import { findProject } from '../../../src/rolebook/config/find-project.ts'
import { ProjectFolder, WATCHES } from '../../support/project-folder.ts'

describe('the project of a file', () => {
  let folder: ProjectFolder
  before(async () => {
    folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, 'inner/watches.yaml': WATCHES })
  })
  after(() => folder.delete())

  const cases = [
    { name: 'is the folder that the file is in', path: 'README.md', project: '' },
    { name: 'is a folder further up', path: 'roles/web/tests/a.yaml', project: '' },
    { name: 'is the nearest of two', path: 'inner/roles/web/role.yaml', project: 'inner' },
  ]
  for (const { name, path, project } of cases) {
    it(name, async () => {
      expect(await findProject(folder.path(path), 'watches.yaml')).to.equal(folder.path(project).replace(/\/$/, ''))
    })
  }

  it('is none where no folder up to the root has the file of watches', async () => {
    expect(await findProject(folder.path('roles/web/role.yaml'), 'no-such-watches.yaml')).to.equal(undefined)
  })
})
