import { expect } from 'chai'
import { MemoryFiles } from '../../../src/rolebook/playground/browser/memory-files.ts'

function codeOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

describe('files in memory', () => {
  const files = new MemoryFiles()
  files.replace({ '/project/watches.yaml': '[]', '/project/roles/web/role.yaml': 'ä' })

  it('are read as bytes', () => expect([...files.read('/project/roles/web/role.yaml')]).to.deep.equal([0xc3, 0xa4]))
  it('are listed with their folders', () => {
    expect(files.list('/project')).to.deep.equal(['roles', 'watches.yaml'])
    expect(files.list('/')).to.deep.equal(['project'])
    expect(files.list('/project/')).to.deep.equal(['roles', 'watches.yaml'])
  })
  it('fail as those of the system', () => {
    expect(codeOf(() => files.read('/project/none'))).to.equal('ENOENT')
    expect(codeOf(() => files.read('/project/roles'))).to.equal('EISDIR')
    expect(codeOf(() => files.list('/none'))).to.equal('ENOENT')
    expect(codeOf(() => files.list('/project/watches.yaml'))).to.equal('ENOTDIR')
  })
  it('are gone when others come', () => {
    const own = new MemoryFiles()
    own.replace({ '/a/b': '' })
    own.replace({ '/c': '' })
    expect(own.has('/a')).to.equal(false)
    expect(own.list('/')).to.deep.equal(['c'])
  })
})
