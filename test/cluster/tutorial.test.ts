/** The tutorial: its commands run and its files are written one after the other, as a reader would do it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath, stderr } from 'node:process'
import { missingForClients } from '../control-plane/clients.ts'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { PageReader } from './page-reader.ts'

const PAGE = readFileSync('docs/tutorial.md', 'utf8')
const LONGEST_MS = 600_000
const SECTION = /^## (.*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm
const BLOCK = /^```(\w+)\n[\s\S]*?^```$/gm

describe('the tutorial', function () {
  this.timeout(LONGEST_MS)
  const folder = temporaryFolder()
  const reader = new PageReader(folder.path)

  before(function () {
    const missing = missingForClients()
    if (missing !== undefined) {
      stderr.write(`SKIPPED: the tutorial uses kubectl, and ${missing}\n`)
      this.skip() // without kubectl half of its commands cannot run
    }
    folder.write('bin/npx', `#!/bin/sh\nshift\nexec '${execPath}' '${join(builtProgram(), 'rolebook.mjs')}' "$@"\n`)
    spawnSync('chmod', ['+x', folder.at('bin/npx')])
  })
  after(() => {
    reader.run('npx rolebook sandbox stop')
    folder.remove()
  })

  for (const [, title = '', text = ''] of PAGE.matchAll(SECTION)) {
    it(`does what it says: ${title}`, () => {
      for (const [block, language] of text.matchAll(BLOCK)) reader.read(block, language ?? '')
    })
  }
})
