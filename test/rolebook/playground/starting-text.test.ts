import { expect } from 'chai'
import { sharedHelmRenderer } from '../../../src/rolebook/library/helm-renderer.ts'
import { openFolder, runTests } from '../../../src/rolebook/playground/project-folder.ts'
import type { ProjectTexts } from '../../../src/rolebook/playground/protocol.ts'
import { startingText } from '../../../src/rolebook/playground/starting-text.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'
import { NOTE_PROJECT } from '../cli/note-project.ts'

const TEST = 'roles/note/tests/new.yaml'
const { 'roles/note/samples/hello.yaml': _sample, ...WITHOUT_SAMPLE } = NOTE_PROJECT

describe('the text that a new file begins with', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  const empty = ['roles/note/files/motd.txt', 'roles/note/samples/two.yaml', 'roles/note/charts/app/values.yaml']
  for (const path of empty) it(`is empty: ${path}`, () => expect(startingText(path, NOTE_PROJECT)).to.equal(''))

  it('of a chart has the name of its folder', () => {
    const text = startingText('roles/note/charts/app/Chart.yaml', NOTE_PROJECT)
    expect(text).to.equal('apiVersion: v2\nname: app\nversion: 0.1.0\n')
  })

  it('of a test begins with the first sample of its role, where there is one', () => {
    expect(startingText(TEST, NOTE_PROJECT)).to.match(/^given: \[\.\.\/samples\/hello\.yaml\]\nsteps:\n/)
    expect(startingText(TEST, WITHOUT_SAMPLE)).to.match(/^steps:\n/)
  })

  it('of a role and its test has no mistake, and the test is green', async () => {
    const role = { ...NOTE_PROJECT, 'roles/note/role.yaml': startingText('roles/note/role.yaml', {}) }
    const files: ProjectTexts = { ...role, [TEST]: startingText(TEST, role) }
    writeFiles(folder.path, files)
    const tools = { folder: folder.path, schemas: loadBuiltinSchemas(), charts: sharedHelmRenderer() }
    const { project, diagnostics } = await openFolder(tools)
    expect(diagnostics).to.deep.equal([])
    const tests = project ? await runTests(project, tools) : []
    expect(tests.map(({ path, isPassed }) => [path, isPassed])).to.deep.equal([[TEST, true]])
  })
})
