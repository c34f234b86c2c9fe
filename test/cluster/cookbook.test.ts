import { expect } from 'chai'
import { type PageProject, projectsIn } from '../../bin/site/page-projects.ts'
import { checkCommand } from '../../src/rolebook/cli/commands/check.ts'
import { testCommand } from '../../src/rolebook/cli/commands/test.ts'
import { runInProject } from '../support/run-in-project.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

const WATCHES = '- { group: example.com, version: v1, kind: App, role: app }\n'

/** The recipes of the page, each with the kind that they share. */
function recipesOf(page: string): readonly PageProject[] {
  const sections = projectsIn(page)
  const kind = sections.at(-1)?.files ?? {}
  return sections
    .filter(({ files }) => 'roles/app/role.yaml' in files)
    .map(({ title, files }) => ({ title, files: { 'watches.yaml': WATCHES, ...kind, ...files } }))
}

describe('the recipes of the cookbook', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  for (const [index, { title, files }] of recipesOf('docs/cookbook.md').entries()) {
    it(`do what their tests say: ${title}`, async () => {
      const project = folder.at(String(index))
      writeFiles(project, files)
      const check = await runInProject(checkCommand, project, '--strict')
      expect(check.code, check.stdout + check.stderr).to.equal(0)
      const test = await runInProject(testCommand, project)
      expect(test.code, test.stdout + test.stderr).to.equal(0)
      expect(test.stdout).to.match(/^1 tests?: 1 passed/m)
    })
  }
})
