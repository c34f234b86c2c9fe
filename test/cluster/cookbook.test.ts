import { expect } from 'chai'
import { recipesIn, withSample } from '../../bin/site/recipes.ts'
import { checkCommand } from '../../src/rolebook/cli/commands/check.ts'
import { testCommand } from '../../src/rolebook/cli/commands/test.ts'
import { runInProject } from '../support/run-in-project.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

describe('the recipes of the cookbook', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  for (const [index, { title, files }] of recipesIn('docs/cookbook.md').map(withSample).entries()) {
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
