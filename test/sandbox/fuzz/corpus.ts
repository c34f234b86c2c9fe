import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { gvkOf } from '../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { type Fixture, loadFixture } from '../apiserver/kinds/fixture.ts'
import type { Step } from '../contract/exchange.ts'
import type { Target } from './fuzz-request.ts'

/** Requests and objects that mean something: what is asked is mostly a small change of one of these. */
export interface Corpus {
  readonly objects: readonly { readonly target: Target; readonly object: KubeObject }[]
  readonly targets: readonly Target[]
  readonly crds: readonly KubeObject[]
  /** What is asked of a real server, too. */
  readonly steps: readonly Step[]
  readonly protobufs: readonly { readonly target: Target; readonly bytes: Buffer }[]
}

const TESTS = join(import.meta.dirname, '../apiserver')

/** `targets` are the resources that the server serves, by apiVersion and kind. */
export async function loadCorpus(targets: ReadonlyMap<string, Target>): Promise<Corpus> {
  const folder = join(TESTS, '../contract/scripts')
  const scripts: { steps: readonly Step[] }[] = await Promise.all(
    readdirSync(folder).map((name) => import(join(folder, name))),
  )
  return {
    targets: [...targets.values()],
    objects: kindObjects().flatMap((object) => withTarget(targets, object)),
    crds: readJson<{ body: KubeObject }[]>('../contract/requests/crd-bodies.generated.json').map(({ body }) => body),
    steps: scripts.flatMap(({ steps }) => steps),
    protobufs: readJson<{ protobuf: string; json: KubeObject }[]>('protobuf/cases.generated.json').flatMap((each) =>
      withTarget(targets, each.json).map(({ target }) => ({ target, bytes: Buffer.from(each.protobuf, 'base64') })),
    ),
  }
}

function kindObjects(): readonly KubeObject[] {
  const folder = join(TESTS, 'kinds')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const fixtures: readonly Fixture[] = files.map((name) => loadFixture(new URL(`file://${join(folder, name)}`)))
  return fixtures.flatMap(({ cases }) =>
    cases.flatMap(({ given, create }) => [given, create]).filter((one) => one !== undefined),
  )
}

function withTarget(targets: ReadonlyMap<string, Target>, object: KubeObject) {
  const target = targets.get(`${object.apiVersion}/${gvkOf(object).kind}`)
  return target ? [{ target, object }] : []
}

function readJson<T extends readonly JsonObject[] | readonly object[]>(file: string): T {
  return JSON.parse(readFileSync(join(TESTS, file), 'utf8'))
}
