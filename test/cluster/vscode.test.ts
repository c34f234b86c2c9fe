import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { temporaryFolder } from '../support/temporary-folder.ts'

const manifestIn = (folder: string): { readonly version: string; readonly main: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

describe('the extension for VS Code', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('has the version of rolebook', () =>
    expect(manifestIn('editors/vscode').version).to.equal(manifestIn('.').version))

  it('is packed with its code and all licences', () => {
    const file = join(folder.path, 'rolebook.vsix')
    execFileSync(execPath, ['bin/package-vscode.ts', '--out', file], { stdio: 'pipe' })
    const packed = readFileSync(file, 'latin1')
    expect(manifestIn('editors/vscode').main).to.equal('./dist/extension.cjs')
    for (const name of ['dist/extension.cjs', 'package.json', 'LICENSE.txt', 'THIRD-PARTY-LICENSES.txt', 'readme.md'])
      expect(packed).to.include(`extension/${name}`)
    expect(packed).not.to.include('extension/src/')
  })
})
