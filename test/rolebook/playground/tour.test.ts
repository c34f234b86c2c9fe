import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { shippedProjects } from '../../../bin/shipped-projects.ts'
import type { ClusterState, ProjectTexts, WriteView } from '../../../src/rolebook/playground/protocol.ts'
import {
  advanceTour,
  TOUR_BEGIN,
  TOUR_ROLE,
  TOUR_STEPS,
  type TourProgress,
  type TourSight,
  tourFiles,
} from '../../../src/rolebook/playground/tour.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { Asker } from './asker.ts'

const ROLE = 'roles/memcached/role.yaml'
const SAMPLE = 'roles/memcached/samples/memcached.yaml'
const FIRST = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'memcached-sample' }
const SECOND = { apiVersion: 'cache.example.com/v1', kind: 'Memcached', namespace: 'default', name: 'memcached-second' }

const NOTHING: TourSight = { cluster: undefined, writes: [], diagnostics: [], details: undefined }

const project = shippedProjects().find(({ name }) => name === TOUR_ROLE)?.files ?? {}

describe('the tour of the playground', () => {
  const folder = temporaryFolder()
  let page: Asker
  let files: ProjectTexts
  let sight = NOTHING
  let progress: TourProgress = TOUR_BEGIN

  before(() => {
    page = new Asker(folder.at('project'))
    files = tourFiles(project)
  })
  after(async () => {
    await page.stop()
    folder.remove()
  })

  function see(change: Partial<TourSight>): void {
    sight = { ...sight, ...change, writes: page.writes.toReversed() }
    progress = advanceTour(progress, sight)
  }

  /** Resolves when what happens in the cluster has done the step. */
  const untilDone = (step: number): Promise<ClusterState> =>
    page.until((cluster) => {
      see({ cluster })
      return progress.step > step
    })

  async function edit(path: string, from: string, to: string): Promise<void> {
    const text = files[path] ?? ''
    expect(text, 'what the step is about').to.include(from)
    files = { ...files, [path]: text.replace(from, to) }
    const { diagnostics } = await page.ask({ type: 'change', files })
    see({ diagnostics })
  }

  it('begins with two resources', async () => {
    const ready = page.until(({ rows }) => rows.filter((row) => row.ready === 'True').length === 2)
    expect(await page.open(files)).to.deep.equal({ isUsed: true, diagnostics: [] })
    const cluster = await ready
    expect(cluster.rows.map(({ name }) => name).toSorted()).to.deep.equal([FIRST.name, SECOND.name])
    see({ cluster })
    expect(progress).to.deep.equal(TOUR_BEGIN)
  })

  it('1: goes on when the second resource is looked at', async () => {
    const uid = sight.cluster?.rows.find(({ name }) => name === SECOND.name)?.uid ?? ''
    see({ details: (await page.ask({ type: 'details', uid })) ?? undefined })
    expect(progress.step).to.equal(1)
  })

  it('2: goes on when the Deployment has as many Pods as the sample says', async () => {
    const done = untilDone(1)
    await edit(SAMPLE, 'size: 3', 'size: 5')
    const { objects } = await done
    expect(objects.find(({ kind, name }) => kind === FIRST.kind && name === FIRST.name)).to.include({
      replicas: 5,
      health: 'ready',
    })
  })

  it('3: goes on when the operator has put back what was changed by hand', async () => {
    const done = untilDone(2)
    await page.ask({ type: 'scale', object: FIRST, replicas: 4 })
    await done
  })

  it('4: goes on when every resource has followed the role', async () => {
    const done = untilDone(3)
    const label = '\n        labels: { tier: web }'
    await edit(ROLE, '        name: ${metadata.name}\n', `        name: \${metadata.name}${label}\n`)
    await done
    expect(await page.ask({ type: 'get', object: { ...FIRST, name: SECOND.name } })).to.include('tier: web')
  })

  it('5 and 6: goes on when a mistake is found, and when it is mended', async () => {
    await edit(ROLE, 'ensure:', 'ensur:')
    expect(progress.step).to.equal(5)
    await edit(ROLE, 'ensur:', 'ensure:')
    expect(progress.step).to.equal(6)
  })

  it('7: ends when the resource is gone with all that was made for it', async () => {
    const done = untilDone(6)
    await page.ask({ type: 'delete', object: SECOND })
    const { objects } = await done
    expect(objects.filter(({ name }) => name.startsWith(SECOND.name))).to.deep.equal([])
    expect(progress.step).to.equal(TOUR_STEPS.length)
  })
})

describe('a step of the tour', () => {
  const deployment = (name: string): WriteView['object'] => ({ ...FIRST, name })
  const write = (number: number, by: string, { name = FIRST.name, field = 'spec.replicas' } = {}): WriteView => {
    const fields = [{ field, from: '1', to: '2' }]
    return { number, at: 0, verb: 'changed', object: deployment(name), by, fields, more: 0 }
  }
  const state = (health: string, replicas = 2, names = [FIRST.name, SECOND.name]): ClusterState => {
    const objects = names.map((name) => ({ ...FIRST, name, uid: name, owners: [], health, message: '', replicas }))
    return { rows: names.map((name) => ({ name })), objects } as unknown as ClusterState
  }
  const cases: readonly { name: string; step: number; sight: Partial<TourSight> }[] = [
    {
      name: 'is not done by looking at a resource that is not ready',
      step: 0,
      sight: { details: { row: { name: SECOND.name, ready: 'False' } } as never },
    },
    {
      name: 'is not done while Pods are not ready',
      step: 1,
      sight: { cluster: state('notReady'), writes: [write(8, 'rolebook')] },
    },
    {
      name: 'is not done while the cluster is that of before the write',
      step: 1,
      sight: { cluster: state('ready', 1), writes: [write(8, 'rolebook')] },
    },
    {
      name: 'is not done by a write before it began',
      step: 1,
      sight: { cluster: state('ready'), writes: [write(7, 'rolebook')] },
    },
    { name: 'is not done by a change by hand alone', step: 2, sight: { writes: [write(8, 'kubectl-scale')] } },
    {
      name: 'is not done by a change by hand after the write of the operator',
      step: 2,
      sight: { writes: [write(9, 'kubectl-scale'), write(8, 'rolebook')] },
    },
    {
      name: 'is not done while one resource has not followed',
      step: 3,
      sight: { cluster: state('ready'), writes: [write(8, 'rolebook', { field: 'metadata.labels' })] },
    },
    { name: 'is not done while nothing is known of the cluster', step: 3, sight: { writes: [write(8, 'rolebook')] } },
    { name: 'is not done by a note', step: 4, sight: { diagnostics: [{ severity: 'note' } as never] } },
    { name: 'is not done while there is a mistake', step: 5, sight: { diagnostics: [{ severity: 'error' } as never] } },
    { name: 'is not done while something of the resource is left', step: 6, sight: { cluster: state('ready') } },
    { name: 'is not done while nothing is known of the cluster', step: 6, sight: {} },
  ]

  for (const { name, step, sight } of cases) {
    it(`${name}: ${TOUR_STEPS[step]?.title}`, () => {
      const progress = { step, since: 7 }
      expect(advanceTour(progress, { ...NOTHING, ...sight })).to.equal(progress)
    })
  }

  it('begins at the first write of all where there is none yet', () => {
    const details = { row: { name: SECOND.name, ready: 'True' } } as never
    expect(advanceTour(TOUR_BEGIN, { ...NOTHING, details })).to.deep.equal({ step: 1, since: 0 })
  })

  it('names files and lines that the project has', () => {
    const files = tourFiles(project)
    const named = TOUR_STEPS.flatMap(({ text }) => [...text.matchAll(/`(roles\/[^`]+)`/g)].map(([, path = '']) => path))
    expect(Object.keys(files)).to.include.members(named)
    expect(files[ROLE]).to.include('name: ${metadata.name}\n').and.to.include('ensure:')
  })

  it('is described on the page about the playground', () => {
    const [, section = ''] = /^## The tour\n([\s\S]*?)^## /m.exec(readFileSync('docs/playground.md', 'utf8')) ?? []
    const titles = [...section.matchAll(/^\d\. \*\*([^*]+)\.\*\*/gm)].map(([, title]) => title)
    expect(titles).to.deep.equal(TOUR_STEPS.map(({ title }) => title))
  })
})
