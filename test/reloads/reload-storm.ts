import { env } from 'node:process'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { writeKubeconfig } from '../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../src/sandbox/cluster/sandbox-cluster.ts'
import { ConfigMapMount } from '../support/config-map-mount.ts'
import { CONFIG_MAP, crd, GADGET, WIDGET } from '../support/operator-sandbox.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { liveHeapOf } from './live-heap.ts'

/** What a process holds: on its heap without garbage, the rest as its metrics say. */
export interface Holdings {
  readonly megabytes: number
  readonly heapKilobytes: number
  readonly objects: number
  readonly descriptors: number
  readonly timers: number
  readonly watches: number
}

export interface StormFigures {
  readonly before: Holdings
  readonly after: Holdings
  readonly published: number
  readonly reloads: Readonly<Record<string, number>>
  /** Projects that were put to use between the two looks at what is held. */
  readonly used: number
  /** Milliseconds from the last swap of the storm until every resource had followed. */
  readonly settled: number
  /** Milliseconds from each of a few single edits until every resource had followed, sorted. */
  readonly followed: readonly number[]
}

const RESOURCES = 10
const EDITS = 10
/** Edits after which what is kept of the last few runs is all there. */
const WARM_UP = 30
/** Edits after the storm: a storm is read as few reloads, and each must leave nothing. */
const AFTERWARDS = 30
/** Milliseconds between two swaps. */
const PERIOD = 10

/** A running `rolebook run` whose project is exchanged 100 times a second: whole, broken, with a kind more or less. */
export async function reloadStorm({ seconds }: { readonly seconds: number }): Promise<StormFigures> {
  const folder = temporaryFolder()
  const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger })
  const mount = new ConfigMapMount(`${folder.path}/mount`)
  let program: RolebookProcess | undefined
  try {
    for (const definition of [crd(WIDGET), crd(GADGET, { scope: 'Cluster' })]) await cluster.install(definition)
    for (let index = 0; index < RESOURCES; index++) await cluster.apply(widget(index))
    writeKubeconfig(`${folder.path}/kubeconfig`, cluster.access)
    mount.publish(version(0))
    program = startProgram(`${folder.path}/kubeconfig`, mount)
    return await storm({ cluster, mount, program }, seconds)
  } finally {
    await program?.stop()
    await cluster.stop()
    folder.remove()
  }
}

interface Stage {
  readonly cluster: SandboxCluster
  readonly mount: ConfigMapMount
  readonly program: RolebookProcess
}

async function storm(stage: Stage, seconds: number): Promise<StormFigures> {
  const { mount, program } = stage
  await follows(stage, 0)
  // What is loaded and compiled once is no leak.
  for (let index = 1; index <= EDITS; index++) {
    mount.publish(version(index))
    if (isBroken(index)) await program.until('it is refused', ({ stderr }) => stderr.includes('cannot be used'))
    else await follows(stage, index)
  }
  await editsFrom(stage, 500_000, WARM_UP)
  const [before, { used: usedBefore = 0 }] = [await holdings(program), await reloadsOf(program)]
  const published = await publishFor(seconds, mount)
  const settled = await timeOf(stage, published + EDITS + 1)
  const followed = await editsFrom(stage, 1_000_000, AFTERWARDS)
  const [after, reloads] = [await holdings(program), await reloadsOf(program)]
  const used = (reloads.used ?? 0) - usedBefore
  return { before, after, published, reloads, used, settled, followed }
}

/** Milliseconds until each of so many edits was followed, sorted. The last one has the watches of the first. */
async function editsFrom(stage: Stage, start: number, count: number): Promise<readonly number[]> {
  const followed: number[] = []
  for (let index = 0; index < count; index++) followed.push(await timeOf(stage, start + index * 10 + ((index + 1) % 2)))
  return followed.sort((left, right) => left - right)
}

async function reloadsOf(program: RolebookProcess): Promise<Readonly<Record<string, number>>> {
  return Object.fromEntries(
    Object.entries(await metricsOf(program)).flatMap(([name, value]) => {
      const [, result] = /^rolebook_reloads_total\{result="(.*)"\}$/.exec(name) ?? []
      return result ? [[result, value]] : []
    }),
  )
}

function startProgram(kubeconfig: string, mount: ConfigMapMount): RolebookProcess {
  const files = ['--watches-file', mount.file('watches.yaml'), '--roles-path', mount.path]
  const seen = ['--metrics-bind-address=127.0.0.1:0', '--metrics-secure=false', '--leader-elect=false']
  const inspected = { env: { ...env, NODE_OPTIONS: '--inspect=127.0.0.1:0' } }
  return new RolebookProcess(['run', '--kubeconfig', kubeconfig, ...files, ...seen], inspected)
}

async function publishFor(seconds: number, mount: ConfigMapMount): Promise<number> {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < seconds * 1000) {
    mount.publish(version(EDITS + count))
    count++
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + count * PERIOD - performance.now())))
  }
  return count
}

/** Milliseconds until all resources have followed a version that is whole. */
async function timeOf(stage: Stage, index: number): Promise<number> {
  const whole = isBroken(index) ? index + 1 : index
  const start = performance.now()
  stage.mount.publish(version(whole))
  await follows(stage, whole)
  return Math.round(performance.now() - start)
}

async function follows({ cluster, program }: Stage, index: number): Promise<void> {
  const ended = program.ended().then((code) => {
    throw new Error(`the operator has ended with ${code}\n${program.stderr}`)
  })
  await Promise.race([hasFollowed(cluster, index), ended])
}

async function hasFollowed(cluster: SandboxCluster, index: number): Promise<void> {
  const { client } = cluster.connection
  for (;;) {
    const { items } = await client.list(CONFIG_MAP, { namespace: 'default', labelSelector: 'storm' })
    const data = items.map((item) => (item.data as { version?: string } | undefined)?.version)
    if (data.length === RESOURCES && data.every((one) => one === String(index))) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The least of a few looks: what is garbage, or on its way, is not held. */
async function holdings(program: RolebookProcess): Promise<Holdings> {
  const looks: Omit<Holdings, 'heapKilobytes' | 'objects'>[] = []
  for (let look = 0; look < 10; look++) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    looks.push(toHoldings(await metricsOf(program)))
  }
  const least = (name: keyof (typeof looks)[number]): number => Math.min(...looks.map((look) => look[name]))
  const { kilobytes: heapKilobytes, objects } = await liveHeapOf(program)
  const [megabytes, descriptors] = [least('megabytes'), least('descriptors')]
  return { megabytes, heapKilobytes, objects, descriptors, timers: least('timers'), watches: least('watches') }
}

function toHoldings(metrics: Readonly<Record<string, number>>): Omit<Holdings, 'heapKilobytes' | 'objects'> {
  const sum = (start: string): number =>
    Object.entries(metrics).reduce((total, [name, value]) => (name.startsWith(start) ? total + value : total), 0)
  return {
    megabytes: Math.round(sum('process_resident_memory_bytes') / 2 ** 20),
    descriptors: sum('process_open_fds'),
    timers: sum('nodejs_active_resources{type="Timeout"}'),
    watches: sum('rolebook_watches{'),
  }
}

async function metricsOf(program: RolebookProcess): Promise<Record<string, number>> {
  await program.until('metrics are served', ({ stderr }) => /metrics server.*http:\S+/.test(stderr))
  const [, url = ''] = /metrics server.*(http:\/\/127\.0\.0\.1:\d+)/.exec(program.stderr) ?? []
  const text = await (await fetch(`${url}/metrics`)).text()
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(samples.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

function isBroken(index: number): boolean {
  return index % 10 === 7
}

/** Every other one watches a second kind, and one of ten cannot be used. */
function version(index: number): Readonly<Record<string, string>> {
  const watches = ['{group: example.com, version: v1, kind: Widget, role: widget}']
  if (index % 2 === 1) watches.push('{group: example.com, version: v1, kind: Gadget, role: widget}')
  const role = `tasks:
  - ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}", namespace: default, labels: { storm: "yes" } }
      data: { version: "${isBroken(index) ? '${$undefined_name}' : index}" }
`
  return { 'watches.yaml': watches.map((one) => `- ${one}\n`).join(''), 'widget.yaml': role }
}

function widget(index: number): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: `w-${index}` }, spec: {} }
}

/** What there may be more of, and more for each project that was put to use: the least one is 600 objects of 60 kilobytes. */
const GROWTH = { kilobytes: { once: 1024, perReload: 20 }, objects: { once: 1000, perReload: 100 } }

const ALLOWED: Readonly<Record<keyof Holdings, (before: number, used: number) => number>> = {
  // Garbage, too: what does leak shows on the heap.
  megabytes: (before) => before * 1.5 + 20,
  heapKilobytes: (before, used) => before + GROWTH.kilobytes.once + GROWTH.kilobytes.perReload * used,
  objects: (before, used) => before + GROWTH.objects.once + GROWTH.objects.perReload * used,
  descriptors: (before) => before + 2,
  timers: (before) => before + 2,
  watches: (before) => before,
}

/** What the process holds more of than it may, in words. */
export function leaksOf({ before, after, used }: Pick<StormFigures, 'before' | 'after' | 'used'>): readonly string[] {
  return (Object.keys(ALLOWED) as (keyof Holdings)[]).flatMap((name) => {
    const most = Math.round(ALLOWED[name](before[name], used))
    return after[name] > most ? [`${name}: ${before[name]} before, ${after[name]} after, at most ${most} allowed`] : []
  })
}
