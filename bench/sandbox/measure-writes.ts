import { cpuUsage } from 'node:process'
import { systemClock } from '../../src/core/base/clock.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import { builtinSchemas } from '../../test/sandbox/apiserver/sandbox.ts'
import { CRD, KINDS, type KindName } from './objects.ts'

export interface Rate {
  /** Per second of the clock, and per second of this process's CPU. */
  readonly perSecond: number
  readonly perCpuSecond: number
}

export interface WriteRates {
  readonly create: Rate
  readonly update: Rate
  /** The same objects to JSON and back: what cannot be saved. */
  readonly baseline: Rate
}

const ROUND = 2000

/** Creations and updates of 3 KB objects through the whole pipeline, from JSON to the bytes of the answer, without HTTP. */
export function measureWrites(kind: KindName, rounds: number): WriteRates {
  const server = newServer()
  server.objects.create(CRD, 'bench')
  const { make } = KINDS[kind]
  const texts = (name: (n: number) => string, version: number): string[] =>
    Array.from({ length: ROUND }, (_, n) => JSON.stringify(make(name(n), version)))
  const versions = new Map<string | undefined, string | undefined>()
  const answer = (object: KubeObject): void => {
    versions.set(object.metadata.name, object.metadata.resourceVersion)
    JSON.stringify(object)
  }
  const post = (text: string): void => answer(server.objects.create(JSON.parse(text) as KubeObject, 'bench'))
  const put = (text: string): void => {
    const object: KubeObject = JSON.parse(text)
    const metadata = { ...object.metadata, resourceVersion: versions.get(object.metadata.name) }
    answer(server.objects.update({ ...object, metadata }, 'bench'))
  }
  const toJson = (text: string): void => void JSON.stringify(JSON.parse(text))
  const inRounds = (measure: (round: number) => Rate): Rate =>
    median(Array.from({ length: rounds }, (_, round) => measure(round)))
  return {
    create: inRounds((round) =>
      rateOf(
        texts((n) => `o-${round}-${n}`, 0),
        post,
      ),
    ),
    update: inRounds((round) =>
      rateOf(
        texts((n) => `o-0-${n}`, round + 1),
        put,
      ),
    ),
    baseline: inRounds((round) =>
      rateOf(
        texts((n) => `o-${n}`, round),
        toJson,
      ),
    ),
  }
}

export function newServer(): ApiServer {
  return new ApiServer({ schemas: builtinSchemas(), clock: systemClock, workloads: false, tls: false })
}

function rateOf(texts: readonly string[], work: (text: string) => void): Rate {
  const before = cpuUsage()
  const start = performance.now()
  for (const text of texts) work(text)
  const seconds = (performance.now() - start) / 1000
  const { user, system } = cpuUsage(before)
  return { perSecond: texts.length / seconds, perCpuSecond: (texts.length / (user + system)) * 1e6 }
}

export function median(rates: readonly Rate[]): Rate {
  const sorted = [...rates].sort((left, right) => left.perCpuSecond - right.perCpuSecond)
  return sorted[Math.floor(sorted.length / 2)] as Rate
}
