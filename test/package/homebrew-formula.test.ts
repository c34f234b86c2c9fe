import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { archiveName, TARGETS } from '../../bin/executable/node-bases.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HOMEPAGE = 'https://example.com/rolebook'
const ADDRESS = `${HOMEPAGE}/releases/v1.2.3`
const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string
  readonly license: string
}

/** One line each: `do` and `def` open, `end` closes, all others are a word with texts. */
const LINE =
  /^(?<indent> *)(?:(?<opens>class Rolebook < Formula|on_\w+ do|test do|def install)|(?<closes>end)|[\w.]+ .+)$/

describe('the formula for Homebrew', () => {
  const folder = temporaryFolder()
  let formula = ''
  before(() => {
    for (const target of TARGETS) folder.write(archiveName(target), `the archive for ${target}`)
    const { status, stdout, stderr } = print(folder.path, '--url', ADDRESS, '--homepage', HOMEPAGE)
    expect(status, stderr).to.equal(0)
    formula = stdout
  })
  after(() => folder.remove())

  it('closes what it opens, each two blanks deeper', () => {
    const open: string[] = []
    for (const line of formula.trimEnd().split('\n').filter(Boolean)) {
      const { indent = '', opens, closes } = LINE.exec(line)?.groups ?? {}
      expect(LINE.test(line), line).to.equal(true)
      if (closes !== undefined) open.pop()
      expect(indent.length, line).to.equal(2 * open.length)
      if (opens !== undefined) open.push(opens)
    }
    expect(open).to.deep.equal([])
  })

  it('has the version, the licence and the homepage of the package', () => {
    expect(formula).to.match(new RegExp(`^ {2}version "${version.replaceAll('.', '\\.')}"$`, 'm'))
    expect(formula).to.include(`\n  license "${license}"\n`)
    expect(formula).to.include(`\n  homepage "${HOMEPAGE}"\n`)
  })

  const places = {
    'darwin-arm64': 'macos arm',
    'darwin-x64': 'macos intel',
    'linux-arm64': 'linux arm',
    'linux-x64': 'linux intel',
  }
  for (const target of TARGETS) {
    it(`has the address and the sum of the archive for ${target}, where Homebrew looks for them`, () => {
      const [system, processor] = places[target].split(' ')
      const [, part = ''] = new RegExp(`^ {2}on_${system} do\\n([\\s\\S]*?)^ {2}end$`, 'm').exec(formula) ?? []
      const [, block] = new RegExp(`^ {4}on_${processor} do\\n([\\s\\S]*?)^ {4}end$`, 'm').exec(part) ?? []
      const sum = createHash('sha256')
        .update(readFileSync(folder.at(archiveName(target))))
        .digest('hex')
      expect(block).to.equal(`      url "${ADDRESS}/${archiveName(target)}"\n      sha256 "${sum}"\n`)
    })
  }

  it('is refused while an archive is missing, and says which', () => {
    rmSync(folder.at(archiveName('linux-x64')))
    const { status, stdout, stderr } = print(folder.path, '--url', ADDRESS, '--homepage', HOMEPAGE)
    expect([status, stdout]).to.deep.equal([2, ''])
    expect(stderr).to.include(`has no ${archiveName('linux-x64')} (`)
  })
})

function print(...args: readonly string[]) {
  return spawnSync(execPath, ['bin/homebrew-formula.ts', ...args], { encoding: 'utf8' })
}
