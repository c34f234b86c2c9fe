import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { ProjectResult } from '../../../src/rolebook/config/load-project.ts'
import { type WatchProjectOptions, watchProject } from '../../../src/rolebook/config/project-watcher.ts'
import { ProjectFolder, ROLE, SAMPLE, WATCHES } from '../../support/project-folder.ts'

const FILES = { 'watches.yaml': WATCHES, 'roles/web/role.yaml': ROLE, 'roles/web/samples/a.yaml': SAMPLE }

describe('watchProject', () => {
  let folder: ProjectFolder
  let stop: AbortController
  let results: AsyncGenerator<ProjectResult, void, void>

  afterEach(async () => {
    stop.abort()
    await results.return()
    await folder.delete()
  })

  async function start(
    options: Partial<WatchProjectOptions> = {},
    files: { [path: string]: string } = FILES,
  ): Promise<ProjectResult> {
    folder = await ProjectFolder.create(files)
    stop = new AbortController()
    results = watchProject({ ...folder.options, clock: systemClock, signal: stop.signal, quietPeriod: 30, ...options })
    return next()
  }

  async function next(): Promise<ProjectResult> {
    const { value, done } = await results.next()
    if (done) throw new Error('the watch has ended')
    return value as ProjectResult
  }

  const sizeOf = ({ project }: ProjectResult): number | undefined => project?.watches[0]?.role.tasks.length

  const changes: { name: string; change: () => Promise<void>; check: (result: ProjectResult) => void }[] = [
    {
      name: 'an edited role',
      change: () => folder.write('roles/web/role.yaml', `${ROLE}  - say: 2\n`),
      check: (result) => expect(sizeOf(result)).to.equal(2),
    },
    {
      name: 'an edited watches.yaml',
      change: () => folder.write('watches.yaml', WATCHES.replace('}', ', vars: {a: 1}}')),
      check: ({ project }) => expect(project?.watches[0]?.watch.vars).to.deep.equal({ a: 1 }),
    },
    {
      name: 'an edited sample',
      change: () => folder.write('roles/web/samples/a.yaml', SAMPLE.replace('size: 1', 'size: 2')),
      check: ({ project }) => expect(project?.samples[0]?.objects[0]?.spec).to.deep.equal({ size: 2 }),
    },
    {
      name: 'a broken role, as its diagnostics',
      change: () => folder.write('roles/web/role.yaml', 'tasks: ['),
      check: ({ project, diagnostics }) => {
        expect(project).to.equal(undefined)
        expect(diagnostics.map(({ code }) => code)).to.deep.equal(['RB1001'])
      },
    },
    {
      name: 'a deleted watches.yaml, as its diagnostics',
      change: () => folder.remove('watches.yaml'),
      check: ({ diagnostics }) => expect(diagnostics.map(({ code }) => code)).to.deep.equal(['RB1301']),
    },
    {
      name: 'a new role folder',
      change: async () => {
        await folder.write('roles/page/role.yaml', ROLE)
        await folder.write('watches.yaml', `${WATCHES}- {group: example.com, version: v1, kind: Page, role: page}\n`)
      },
      check: ({ project }) => expect(project?.watches).to.have.length(2),
    },
  ]
  for (const { name, change, check } of changes) {
    it(`yields ${name}`, async () => {
      const { hash } = await start()
      const result = next()
      await change()
      check(await result)
      expect((await result).hash).not.to.equal(hash)
    })
  }

  it('yields a role that was mended, also when it is what it was', async () => {
    const { hash } = await start()
    await folder.write('roles/web/role.yaml', 'tasks: [')
    expect((await next()).project).to.equal(undefined)
    await folder.write('roles/web/role.yaml', ROLE)
    const mended = await next()
    expect(mended.project).not.to.equal(undefined)
    expect(mended.hash).to.equal(hash)
  })

  it('follows a role folder that was exchanged for another of the same name', async () => {
    await start()
    await folder.remove('roles/web')
    await folder.write('roles/web/role.yaml', `${ROLE}  - say: 2\n`)
    let result = await next()
    if (!result.project) result = await next()
    expect(sizeOf(result)).to.equal(2)
    await folder.write('roles/web/role.yaml', `${ROLE}  - say: 2\n  - say: 3\n`)
    expect(sizeOf(await next())).to.equal(3)
  })

  it('follows the folder that took the place of another in one step', async () => {
    await start()
    await folder.write('incoming/role.yaml', `${ROLE}  - say: 2\n`)
    await folder.write('incoming/samples/a.yaml', SAMPLE)
    const result = next()
    await folder.move('roles/web', 'trash')
    await folder.move('incoming', 'roles/web')
    expect(sizeOf(await result)).to.equal(2)
    // More than one: the first may still be found on the heels of the move.
    for (let tasks = 3; tasks <= 6; tasks++) {
      await folder.write('roles/web/role.yaml', ROLE + '  - say: 2\n'.repeat(tasks - 1))
      expect(sizeOf(await next())).to.equal(tasks)
    }
  })

  it('follows a ConfigMap whose ..data is swapped, again and again', async () => {
    folder = await ProjectFolder.create()
    const files = (tasks: number) => ({ 'watches.yaml': WATCHES, 'web.yaml': ROLE + '  - say: 2\n'.repeat(tasks - 1) })
    await folder.mount('config', files(1), 1)
    stop = new AbortController()
    const place = { watchesFile: folder.path('config/watches.yaml'), rolesPath: folder.path('config') }
    results = watchProject({ ...folder.options, ...place, clock: systemClock, signal: stop.signal, quietPeriod: 30 })
    const first = await next()
    expect(first.diagnostics, 'watches.yaml in the folder of the roles is not a role').to.deep.equal([])
    for (let generation = 2; generation <= 4; generation++) {
      const result = next()
      await folder.mount('config', files(generation), generation)
      expect(sizeOf(await result)).to.equal(generation)
    }
  })

  it('says nothing to a caller who knows the files already', async () => {
    const { hash } = await start()
    stop.abort()
    await results.return()
    stop = new AbortController()
    results = watchProject({ ...folder.options, clock: systemClock, signal: stop.signal, quietPeriod: 30, after: hash })
    const result = next()
    await folder.write('roles/web/role.yaml', `${ROLE}  - say: 2\n`)
    expect(sizeOf(await result)).to.equal(2)
  })

  it('yields 100 quick changes as few, the last one included', async () => {
    await start()
    const seen: number[] = []
    const reading = (async () => {
      while (seen.at(-1) !== 101) seen.push(sizeOf(await next()) ?? 0)
    })()
    for (let tasks = 2; tasks <= 101; tasks++)
      await folder.write('roles/web/role.yaml', ROLE + '  - say: 2\n'.repeat(tasks - 1))
    await reading
    expect(seen.length).to.be.lessThan(20)
  })

  it('never yields half of a swap of several files', async () => {
    const role = (name: string): string => `vars: {${name}: 1}\ntasks:\n  - say: \${$${name}}\n`
    await start({}, { 'watches.yaml': WATCHES.replace('}', ', vars: {v0: 1}}'), 'roles/web.yaml': role('v0') })
    for (let round = 1; round <= 3; round++) {
      const result = next()
      await folder.write('watches.yaml', WATCHES.replace('}', `, vars: {v${round}: 1}}`))
      await folder.write('roles/web.yaml', role(`v${round}`))
      const { project } = await result
      expect(project?.watches[0]?.role.vars.map(({ name }) => name)).to.deep.equal([`v${round}`])
    }
  })

  it('finds by looking what the file system does not report', async () => {
    const clock = new FakeClock()
    await start({ clock, pollPeriod: 30_000 })
    const result = next()
    let done = false
    void result.then(() => {
      done = true
    })
    await folder.write('roles/web/role.yaml', `${ROLE}  - say: 2\n`)
    for (let turn = 0; turn < 1_000 && !done; turn++) await clock.advance(1_000)
    expect(sizeOf(await result)).to.equal(2)
  })

  it('leaves no timer behind with each change', async () => {
    const clock = new FakeClock()
    await start({ clock })
    for (let tasks = 2; tasks <= 4; tasks++) {
      const result = next()
      let done = false
      void result.then(() => {
        done = true
      })
      await folder.write('roles/web/role.yaml', ROLE + '  - say: 2\n'.repeat(tasks - 1))
      for (let turn = 0; turn < 1_000 && !done; turn++) await clock.advance(1_000)
      expect(sizeOf(await result)).to.equal(tasks)
    }
    expect(clock.pending).to.be.lessThan(3)
  })

  it('ends when its signal is aborted', async () => {
    await start()
    const result = results.next()
    stop.abort()
    expect((await result).done).to.equal(true)
  })
})
