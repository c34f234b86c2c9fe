import { expect } from 'chai'
import { shippedProjects } from '../../../bin/shipped-projects.ts'
import { filePathProblem } from '../../../src/rolebook/playground/file-path-problem.ts'

const FILES = { 'watches.yaml': '', 'roles/web/role.yaml': '', 'roles/web/samples/one.yaml': '' }

describe('the path of a new file', () => {
  const good = [
    ...['roles/db/role.yaml', 'roles/db.yaml', 'roles/db.files.motd.txt', 'roles/web/crd.yaml', 'roles/web/more.yaml'],
    ...['roles/web/samples/two.yaml', 'roles/web/tests/life.yaml', 'roles/web/files/motd.txt', 'roles/web/a/b.yaml'],
    ...['roles/web/charts/app/Chart.yaml', 'roles/web/charts/app/templates/_names.tpl'],
  ]
  for (const path of good) it(`may be ${path}`, () => expect(filePathProblem(path, FILES)).to.equal(undefined))

  for (const { name, files } of shippedProjects()) {
    it(`may be each of ${name}`, () => {
      const problems = Object.keys(files).map((path) => filePathProblem(path, {}))
      expect(problems).to.deep.equal(problems.map(() => undefined))
    })
  }

  const refused = [
    { path: '', reason: /no name/ },
    { path: '../other/role.yaml', reason: /leads out of the project/ },
    { path: 'roles/../../x.yaml', reason: /leads out of the project/ },
    { path: '/etc/passwd', reason: /leads out of the project/ },
    { path: 'roles\\web\\x.yaml', reason: /leads out of the project/ },
    { path: 'roles//x.yaml', reason: /is empty/ },
    { path: 'roles/web/', reason: /is empty/ },
    { path: 'roles/web/ä.yaml', reason: /letters, digits/ },
    { path: 'roles/web/role.yaml', reason: /has this file already/ },
    { path: 'roles/web/samples', reason: /a folder with this name/ },
    { path: 'roles/web/role.yaml/x.yaml', reason: /is a file, not a folder/ },
    { path: 'roles/Web/role.yaml', reason: /differ only in case/ },
    { path: 'README.md', reason: /a project is watches.yaml and the folder roles/ },
    { path: 'roles', reason: /folder with this name/ },
    { path: 'roles/-web/role.yaml', reason: /"-web" must be the name of a role/ },
    { path: 'roles/web.crd/role.yaml', reason: /"web.crd" must be the name of a role/ },
    { path: 'roles/notes.txt', reason: /a file beside the roles is a role/ },
    { path: 'roles/web.yml', reason: /rename it to web.yaml/ },
    { path: 'roles/web/tests', reason: /`tests` of a role has another purpose \(put the file beside it\)/ },
    { path: 'roles/web/charts', reason: /`charts` of a role has another purpose/ },
    { path: 'roles/web/crd.yaml/x', reason: /`crd.yaml` of a role has another purpose/ },
    { path: 'roles/web/tests/life.yml', reason: /rename it to life.yaml/ },
    { path: 'roles/web/tests/notes.txt', reason: /in `tests`, names end in \.yaml \(rename it\)/ },
    { path: 'roles/web/samples/deep/one.yaml', reason: /folders within `samples` are not read/ },
    { path: 'roles/web/tests/.life.yaml', reason: /begin with `.` are not read \(rename it\)/ },
    { path: 'roles/web/.hidden/x.yaml', reason: /begin with `.` are not read \(rename it\)/ },
    { path: 'roles/web/motd.txt', reason: /only read when their names end in `.yaml` \(rename it\)/ },
    { path: 'roles/web/crd.yml', reason: /rename it to crd.yaml/ },
  ]
  for (const { path, reason } of refused)
    it(`cannot be "${path}"`, () => expect(filePathProblem(path, FILES)).to.match(reason))

  it('cannot be one more than a link holds', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`roles/r${index}.yaml`, '']))
    expect(filePathProblem('roles/web/role.yaml', many)).to.match(/at most 200 files/)
  })
})
