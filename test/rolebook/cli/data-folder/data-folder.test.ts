import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pid, ppid } from 'node:process'
import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { DataFolder } from '../../../../src/sandbox/cluster/data-folder/data-folder.ts'
import { configMap, customResourceDefinition, settle } from '../../../sandbox/apiserver/sandbox.ts'
import { long } from '../../../support/long-tests.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { KeptSandbox, KeptStore } from './kept-sandbox.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }

describe('A data folder', () => {
  const temporary = temporaryFolder()
  let path: string
  let count = 0
  beforeEach(() => {
    path = join(temporary.path, String(count++))
  })
  after(() => temporary.remove())

  it('gives back every object with its version and uid, and goes on counting', async () => {
    const first = new KeptSandbox(path)
    first.server.objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'default' } }
    const created = first.server.objects.create(widget, 'test')
    const settled = first.server.objects.create(configMap('b'), 'test')
    await first.stop()

    const second = new KeptSandbox(path)
    expect(second.server.objects.get(WIDGET, { namespace: 'default', name: 'a' })).to.deep.equal(created)
    expect(second.server.objects.get(CONFIG_MAP, { namespace: 'default', name: 'b' })).to.deep.equal(settled)
    const next = second.server.objects.create(configMap('c'), 'test')
    expect(Number(next.metadata.resourceVersion)).to.equal(Number(settled.metadata.resourceVersion) + 1)
    await second.stop()
  })

  it('lets controllers go on where they were: an owner that went leaves nothing behind', async () => {
    const first = new KeptSandbox(path)
    const owner = first.server.objects.create(configMap('owner'), 'test')
    const { uid = '' } = owner.metadata
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }]
    first.server.objects.create(configMap('owned', { metadata: { ownerReferences } }), 'test')
    first.server.objects.delete(CONFIG_MAP, { namespace: 'default', name: 'owner' })
    await first.stop()
    const second = new KeptSandbox(path)
    await settle()
    expect(second.server.objects.get(CONFIG_MAP, { namespace: 'default', name: 'owned' })).to.equal(undefined)
    await second.stop()
  })

  long.it('loses nothing that was acknowledged when the log ends at any byte', async function () {
    this.timeout(60_000)
    const kept = new KeptStore(path)
    const log = join(path, 'changes-1.jsonl')
    const moments = [{ size: readFileSync(log).length, contents: kept.contents() }]
    const changes = [
      () => kept.put('a', { text: 'ä"\n' }),
      () => kept.put('b', {}),
      () => kept.put('a', { text: 'again' }),
      () => kept.remove('b'),
      () => kept.put('b', { uid: 'new' }),
    ]
    for (const change of changes) {
      change()
      moments.push({ size: readFileSync(log).length, contents: kept.contents() })
    }
    await kept.folder.close()
    const whole = readFileSync(log)
    for (let size = 0; size <= whole.length; size++) {
      const torn = join(temporary.path, 'torn')
      mkdirSync(torn)
      writeFileSync(join(torn, 'changes-1.jsonl'), whole.subarray(0, size))
      const expected = moments.findLast((moment) => moment.size <= size) ?? moments[0]
      const reopened = new KeptStore(torn)
      expect(reopened.contents(), `cut at byte ${size}`).to.deep.equal(expected?.contents)
      reopened.put('c', {})
      await reopened.folder.close()
      const again = new KeptStore(torn)
      expect(again.store.revision, 'what is written after a cut is whole').to.equal(reopened.store.revision)
      await again.folder.close()
      rmSync(torn, { recursive: true })
    }
  })

  it('is closed when the snapshot that was begun is whole', async () => {
    const kept = new KeptStore(path, { compactAfter: 1 })
    kept.put('a', { n: '1' })
    await kept.folder.close()
    expect(readdirSync(path).filter((name) => name.startsWith('snapshot'))).to.have.length(1)
    const again = new KeptStore(path)
    expect(again.contents()).to.deep.equal(kept.contents())
    await again.folder.close()
  })

  it('replaces changes by a snapshot, and survives an end at each step of that', async () => {
    const kept = new KeptStore(path)
    kept.put('a', { n: '1' })
    kept.put('b', { n: '1' })
    await kept.folder.close()
    const before = join(temporary.path, 'before')
    cpSync(path, before, { recursive: true })

    const compacted = new KeptStore(path)
    await compacted.folder.compact()
    expect(readdirSync(path).sort()).to.deep.equal(['changes-3.jsonl', 'lock', 'snapshot-3.jsonl'])
    compacted.put('a', { n: '2' })
    const contents = compacted.contents()
    await compacted.folder.close()
    const steps: readonly (readonly [string, readonly string[]])[] = [
      ['the snapshot is half written', ['changes-3.jsonl', 'snapshot-3.jsonl.tmp']],
      ['the old files are not removed yet', ['changes-3.jsonl', 'snapshot-3.jsonl']],
      ['nor is the snapshot before', ['changes-3.jsonl', 'snapshot-2.jsonl', 'snapshot-3.jsonl']],
    ]
    for (const [step, files] of steps) {
      const folder = join(temporary.path, step)
      cpSync(before, folder, { recursive: true })
      for (const file of files) cpSync(join(path, file.replace('.tmp', '').replace('2', '3')), join(folder, file))
      if (step.includes('half')) truncateSync(join(folder, 'snapshot-3.jsonl.tmp'), 100)
      const reopened = new KeptStore(folder)
      expect(reopened.contents(), step).to.deep.equal(contents)
      expect(readdirSync(folder).filter((name) => /tmp$|-2/.test(name))).to.deep.equal([])
      await reopened.folder.close()
    }
  })

  it('makes a snapshot by itself when the changes outgrow the objects', async () => {
    const kept = new KeptSandbox(path, 20_000)
    for (let n = 0; n < 200; n++) {
      if (n === 0) kept.server.objects.create(configMap('a', { data: { n: '0' } }), 'test')
      else kept.server.objects.update(configMap('a', { data: { n: String(n) } }), 'test')
      if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await kept.stop()
    const files = readdirSync(path)
    expect(files.some((name) => name.startsWith('snapshot-'))).to.equal(true)
    expect(files).to.have.length(2)
    const reopened = new KeptSandbox(path)
    expect(reopened.server.objects.get(CONFIG_MAP, { namespace: 'default', name: 'a' })?.data).to.deep.equal({
      n: '199',
    })
    await reopened.stop()
  })

  it('goes on with watches of versions after the snapshot, and forgets those before', async () => {
    const first = new KeptStore(path)
    first.put('a', {})
    await first.folder.compact()
    first.put('b', {})
    first.remove('a')
    await first.folder.close()
    const second = new KeptStore(path)
    const { history } = second.store.table('/configmaps')
    expect(history.floor).to.equal(2)
    const seen = [history.at(history.after(2)), history.at(history.after(3))]
    expect(seen.map((event) => [event?.type, event?.current.name])).to.deep.equal([
      ['ADDED', 'b'],
      ['DELETED', 'a'],
    ])
    await second.folder.close()
  })
})

describe('A data folder refuses', () => {
  const temporary = temporaryFolder()
  const options = { clock: new FakeClock(), logger: nopLogger }
  after(() => temporary.remove())

  /** A folder with a snapshot of `a` and two changes after it. */
  async function filled(name: string): Promise<string> {
    const path = join(temporary.path, name)
    const kept = new KeptStore(path)
    kept.put('a', { text: 'x' })
    await kept.folder.compact()
    kept.put('b', { text: 'y' })
    kept.put('c', { text: 'z' })
    await kept.folder.close()
    return path
  }

  function edit(file: string, change: (text: string) => string): void {
    writeFileSync(file, change(readFileSync(file, 'utf8')))
  }

  const damages = [
    {
      name: 'a changed byte in a change',
      file: 'changes-2.jsonl',
      change: (text: string) => text.replace('"y"', '"Y"'),
      says: /changes-2\.jsonl:2 \(byte \d+\): the record is not as it was written.*head -c \d+/,
    },
    {
      name: 'a lost line',
      file: 'changes-2.jsonl',
      change: (text: string) => text.replace(/\n.*"y".*\n/, '\n'),
      says: /changes-2\.jsonl: the changes 3 to 3 are missing/,
    },
    {
      name: 'a changed byte in the snapshot',
      file: 'snapshot-2.jsonl',
      change: (text: string) => text.replace('"x"', '"X"'),
      says: /snapshot-2\.jsonl:2 \(byte \d+\): the record is not as it was written/,
    },
    {
      name: 'a snapshot that was cut',
      file: 'snapshot-2.jsonl',
      change: (text: string) => text.slice(0, -1),
      says: /snapshot-2\.jsonl: it has 0 objects and not 1/,
    },
    {
      name: 'an empty snapshot',
      file: 'snapshot-2.jsonl',
      change: () => '',
      says: /snapshot-2\.jsonl: it does not begin as a snapshot/,
    },
    {
      name: 'a file of another program',
      file: 'changes-2.jsonl',
      change: () => 'hello\n',
      says: /changes-2\.jsonl:1 \(byte 0\)/,
    },
  ]
  for (const { name, file, change, says } of damages) {
    it(`${name}, says where and what to do, and changes nothing`, async () => {
      const path = await filled(name)
      edit(join(path, file), change)
      const before = readdirSync(path).map((each) => [each, readFileSync(join(path, each), 'utf8')])
      expect(() => new KeptStore(path)).to.throw(says)
      expect(() => new KeptStore(path)).to.throw(/Nothing was changed\. .*docs\/sandbox\.md/)
      expect(readdirSync(path).map((each) => [each, readFileSync(join(path, each), 'utf8')])).to.deep.equal(before)
    })
  }

  it('a second process, and takes over the lock of one that is gone', async () => {
    const path = await filled('locked')
    writeFileSync(join(path, 'lock'), `${ppid}\n`)
    expect(() => new DataFolder(path, options)).to.throw(`in use by process ${ppid}`)
    for (const stale of [`${2 ** 22 - 1}\n`, `${pid}\n`, '', 'nobody\n']) {
      writeFileSync(join(path, 'lock'), stale)
      const folder = new DataFolder(path, options)
      expect(readFileSync(join(path, 'lock'), 'utf8')).to.equal(`${pid}\n`)
      await folder.close()
      expect(existsSync(join(path, 'lock'))).to.equal(false)
    }
    expect(readdirSync(path).filter((name) => name.startsWith('lock'))).to.deep.equal([])
  })

  it('a change that cannot be written, which then has not happened', async () => {
    const path = await filled('full')
    const kept = new KeptStore(path)
    const before = kept.contents()
    await kept.folder.close()
    expect(() => kept.put('d', {})).to.throw(/is closed/)
    expect(kept.contents()).to.deep.equal(before)
  })
})
