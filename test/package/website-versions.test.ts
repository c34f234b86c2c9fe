import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('the websites of all versions', () => {
  const folder = temporaryFolder()
  const output = folder.at('website')
  after(() => folder.remove())

  const compose = (archives: string) =>
    spawnSync(execPath, ['bin/website-versions.ts', folder.at(archives), '--output', output], { encoding: 'utf8' })

  /** An archive of a website with one page. */
  function archive(path: string, text: string): void {
    folder.write('page/index.html', text)
    folder.write(path, '')
    const { status, stderr } = spawnSync('tar', ['-czf', folder.at(path), '-C', folder.at('page'), '.'])
    expect(status, String(stderr)).to.equal(0)
  }

  const cases = [
    { name: 'numbers are compared as numbers', versions: ['0.9.0', '0.10.0'], newest: '0.10.0' },
    { name: 'a version before a release is not the newest', versions: ['0.2.0', '0.3.0-rc.1'], newest: '0.2.0' },
    { name: 'unless there is none other', versions: ['0.3.0-rc.1'], newest: '0.3.0-rc.1' },
  ]
  for (const [nth, { name, versions, newest }] of cases.entries()) {
    it(`stand in folders of their own, and the first page leads to the newest: ${name}`, () => {
      for (const version of versions) archive(`archives-${nth}/${version}.tar.gz`, `the page of ${version}`)
      const { status, stderr } = compose(`archives-${nth}`)
      expect(status, stderr).to.equal(0)
      for (const version of versions)
        expect(readFileSync(`${output}/${version}/index.html`, 'utf8')).to.equal(`the page of ${version}`)
      expect(readFileSync(`${output}/index.html`, 'utf8')).to.include(`content="0; url=${newest}/"`)
    })
  }

  it('have none of a former time beside them', () => expect(existsSync(`${output}/0.9.0`)).to.equal(false))

  for (const name of ['role', 'watches', 'tasks', 'test']) {
    it(`have the schema ${name} where its $id says`, () => {
      const schema = readFileSync(`schemas/${name}.json`, 'utf8')
      const { pathname } = new URL(JSON.parse(schema).$id)
      expect(readFileSync(`${output}${pathname}`, 'utf8')).to.equal(schema)
    })
  }

  const refused = [
    { name: 'no archive', write: 'empty/README', folder: 'empty', says: 'holds no archive' },
    { name: 'a name that is no version', write: 'odd/latest.tar.gz', folder: 'odd', says: 'latest.tar.gz is named by' },
  ]
  for (const { name, write, folder: archives, says } of refused) {
    it(`are not put together of ${name}`, () => {
      folder.write(write, '')
      const { status, stderr } = compose(archives)
      expect(status).to.equal(2)
      expect(stderr).to.include(`cannot put the websites together: `).and.include(says)
    })
  }
})
