import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { ChangeLog } from '../../../../src/sandbox/cluster/data-folder/change-log.ts'
import { loadIdentity, saveIdentity } from '../../../../src/sandbox/cluster/data-folder/server-identity.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { KeptStore } from './kept-sandbox.ts'

const SNAPSHOT = 'snapshot-2.jsonl'
const CHANGES = 'changes-2.jsonl'
const RESOURCE = '/configmaps'
const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'default' } }

/** A folder with a snapshot of `a` and a change after it. */
async function fill(path: string): Promise<void> {
  const kept = new KeptStore(path)
  kept.put('a', { text: 'x' })
  await kept.folder.compact()
  kept.put('b', { text: 'y' })
  await kept.folder.close()
}

/** Puts a line with a right checksum in the place of another. */
function replaceLine(file: string, line: number, text: string): void {
  const sum = crc32(text).toString(16).padStart(8, '0')
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, lines.with(line - 1, `${sum} ${text}`).join('\n'))
}

describe('A data folder of another version', () => {
  const temporary = temporaryFolder()
  after(() => temporary.remove())

  const unknown = 'the record is of a form that this version of rolebook does not know'
  const otherChanges = 'it does not begin as changes of this version of rolebook do'
  const rows: readonly { name: string; file: string; line: number; record: JsonValue; says: string }[] = [
    { name: 'an object of no resource', file: SNAPSHOT, line: 2, record: { object: OBJECT }, says: unknown },
    { name: 'an object that is none', file: SNAPSHOT, line: 2, record: { resource: RESOURCE }, says: unknown },
    {
      name: 'an object without metadata',
      file: SNAPSHOT,
      line: 2,
      record: { resource: RESOURCE, object: {} },
      says: unknown,
    },
    { name: 'a change that is a list', file: CHANGES, line: 2, record: [], says: unknown },
    {
      name: 'a change of an unknown type',
      file: CHANGES,
      line: 2,
      record: { type: 'RENAMED', revision: 3, resource: RESOURCE, object: OBJECT },
      says: unknown,
    },
    {
      name: 'a change without revision',
      file: CHANGES,
      line: 2,
      record: { type: 'ADDED', resource: RESOURCE, object: OBJECT },
      says: unknown,
    },
    {
      name: 'changes of the next version',
      file: CHANGES,
      line: 1,
      record: { format: 'rolebook-sandbox', version: 2, holds: 'changes', revision: 2 },
      says: otherChanges,
    },
    {
      name: 'changes after another snapshot',
      file: CHANGES,
      line: 1,
      record: { format: 'rolebook-sandbox', version: 1, holds: 'changes', revision: 1 },
      says: otherChanges,
    },
  ]
  for (const { name, file, line, record, says } of rows) {
    it(`with ${name} is refused`, async () => {
      const path = join(temporary.path, name)
      await fill(path)
      replaceLine(join(path, file), line, JSON.stringify(record))
      expect(() => new KeptStore(path)).to.throw(says)
      expect(() => new KeptStore(path)).to.throw(line === 1 ? join(path, file) : `${join(path, file)}:${line} (byte`)
    })
  }

  it('with a record that is not JSON is refused', async () => {
    const path = join(temporary.path, 'no JSON')
    await fill(path)
    replaceLine(join(path, CHANGES), 2, '{')
    expect(() => new KeptStore(path)).to.throw(/changes-2\.jsonl:2 \(byte \d+\): the record is not as it was written/)
  })

  it('without the first of its changes is refused', async () => {
    const path = join(temporary.path, 'gap')
    await fill(path)
    renameSync(join(path, CHANGES), join(path, 'changes-5.jsonl'))
    expect(() => new KeptStore(path)).to.throw(/changes-5\.jsonl: the changes 3 to 5 are missing before it, or in it/)
  })
})

describe('A data folder', () => {
  const temporary = temporaryFolder()
  after(() => temporary.remove())

  it('is not taken when its lock cannot be read, and is left as it was', () => {
    const path = join(temporary.path, 'locked')
    mkdirSync(join(path, 'lock'), { recursive: true })
    expect(() => new KeptStore(path)).to.throw(/lock: cannot take the folder/)
    expect(readdirSync(path)).to.deep.equal(['lock'])
  })

  it('makes no snapshot once it is closed', async () => {
    const path = join(temporary.path, 'closed')
    await fill(path)
    const kept = new KeptStore(path)
    await kept.folder.close()
    const files = readdirSync(path)
    await kept.folder.compact()
    expect(readdirSync(path)).to.deep.equal(files)
  })

  it('takes no more changes after one that could neither be written nor be taken back', () => {
    // The lowest free number is the one that the log gets.
    const file = openSync(devNull, 'r')
    closeSync(file)
    const log = new ChangeLog(join(temporary.path, 'changes-1.jsonl'), 1, new FakeClock())
    closeSync(file)
    expect(() => log.append({ n: 1 })).to.throw(/cannot write to .*changes-1\.jsonl: .*EBADF/)
    expect(() => log.append({ n: 2 })).to.throw(/changes-1\.jsonl: an earlier write failed half way/)
  })
})

describe('The identity of a sandbox', () => {
  const temporary = temporaryFolder()
  after(() => temporary.remove())

  it('is kept for nine years', async () => {
    const clock = new FakeClock()
    const first = await loadIdentity(temporary.path, clock)
    saveIdentity(temporary.path, { ...first, port: 6443 })
    await clock.advance(8 * 365 * 24 * 3600 * 1000)
    expect(await loadIdentity(temporary.path, clock)).to.deep.equal({ ...first, port: 6443 })
    await clock.advance(365 * 24 * 3600 * 1000)
    const second = await loadIdentity(temporary.path, clock)
    expect(second).to.deep.include({ port: 0, made: clock.now() })
    expect([second.token, second.certificate.ca]).to.not.include.members([first.token, first.certificate.ca])
  })

  const damaged = ['{', '[]', '{"version":2}', '{"version":1,"certificate":{},"token":"x","port":1}']
  for (const text of damaged) {
    it(`is not replaced when its file holds ${text}`, async () => {
      const path = join(temporary.path, 'access.json')
      writeFileSync(path, text)
      const problem = await loadIdentity(temporary.path, new FakeClock()).catch(({ message }: Error) => message)
      expect(problem).to.match(/access\.json: it does not hold what it should.*Nothing was changed/)
      expect(readFileSync(path, 'utf8')).to.equal(text)
    })
  }
})
