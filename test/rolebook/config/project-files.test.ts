import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { readProjectFiles } from '../../../src/rolebook/config/project-files.ts'
import { ProjectFolder, ROLE, WATCHES } from '../../support/project-folder.ts'

describe('files that are written while they are read', () => {
  const cases = [
    { name: 'once they stand still', changes: 4 },
    { name: 'as they were last, when they never do', changes: Number.POSITIVE_INFINITY },
  ]
  for (const { name, changes } of cases) {
    it(`are taken ${name}`, async () => {
      const folder = await ProjectFolder.create({ 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE })
      try {
        const watchesFile = folder.path('watches.yaml')
        let written = 0
        // The reader asks for the path just before it reads the file.
        const places = {
          rolesPath: folder.path('roles'),
          get watchesFile(): string {
            if (written < changes) writeFileSync(watchesFile, `# ${++written}\n`)
            return watchesFile
          },
        }
        const { watches } = await readProjectFiles(places)
        expect(watches.source?.text).to.equal(`# ${written}\n`)
        if (changes < Number.POSITIVE_INFINITY) expect(written).to.equal(changes)
      } finally {
        await folder.delete()
      }
    })
  }
})
