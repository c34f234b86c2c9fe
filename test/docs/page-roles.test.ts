import { expect } from 'chai'
import { checkCommand } from '../../src/rolebook/cli/commands/check.ts'
import { testCommand } from '../../src/rolebook/cli/commands/test.ts'
import { long } from '../support/long-tests.ts'
import { runInProject } from '../support/run-in-project.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import { COMPLETIONS, pageRoles, projectOf, SKETCHES } from './page-roles.ts'

const all = pageRoles()
const running = all.filter(({ key }) => !(key in SKETCHES))

describe('the roles of the pages', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  for (const [nth, { page, line, key, role }] of running.entries()) {
    long.it(`are in order, and do what the page says: ${page}:${line}`, async () => {
      const project = folder.at(String(nth))
      writeFiles(project, projectOf(role, COMPLETIONS[key]))
      const check = await runInProject(checkCommand, project, '--strict')
      expect(check.stdout + check.stderr).to.equal('1 watch and 1 role are in order\n')
      const test = await runInProject(testCommand, project)
      expect(test.code, test.stdout + test.stderr).to.equal(0)
      expect(test.stdout).to.match(/^1 test: 1 passed/m)
    })
  }

  it('are many', () => expect(running.length).to.be.greaterThan(20))

  it('have names of their own', () => {
    const keys = all.map(({ key }) => key)
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).to.deep.equal([])
  })

  for (const [what, table] of Object.entries({ completed: COMPLETIONS, 'left out': SKETCHES })) {
    it(`are there where they are ${what}`, () => {
      const keys = new Set(all.map(({ key }) => key))
      expect(Object.keys(table).filter((key) => !keys.has(key))).to.deep.equal([])
    })
  }

  it('are completed or left out, not both', () => {
    expect(Object.keys(SKETCHES).filter((key) => key in COMPLETIONS)).to.deep.equal([])
  })

  const broken: readonly (readonly [string, string])[] = [
    [
      'misspells a field of Kubernetes',
      'tasks: [{ ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, dta: {} } }]',
    ],
    [
      'makes what a server refuses',
      'tasks: [{ ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: A_B } } }]',
    ],
    ['reads a field that its kind does not have', 'tasks: [{ status: { a: "${spec.subtitle}" } }]'],
  ]
  for (const [nth, [name, role]] of broken.entries()) {
    it(`are not in order where one ${name}`, async () => {
      const project = folder.at(`broken-${nth}`)
      writeFiles(project, projectOf(`${role}\n`, { fields: { title: { type: 'string' } } }))
      expect((await runInProject(checkCommand, project, '--strict')).code).to.equal(3)
    })
  }
})
