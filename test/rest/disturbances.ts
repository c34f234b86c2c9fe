import type { JsonObject } from '../../src/core/base/json.ts'
import { isNotFound } from '../../src/core/kube/api-error.ts'
import type { JsonPatchBody, KubeClient } from '../../src/core/kube/client.ts'
import { type Gvk, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../src/core/kube/object.ts'
import { KIND } from '../scenarios/cluster-driver.ts'
import type { Dice } from '../support/dice.ts'
import type { Population } from './population.ts'

const MANAGER = { fieldManager: 'rival' }

export interface Disturbed {
  readonly client: KubeClient
  readonly population: Population
  readonly dice: Dice
  /** Breaks every connection of the operator. */
  readonly cut: () => void
}

/** What people and programs do to a cluster. In the end, nothing of it may be left. */
type Disturbance = (stage: Disturbed, children: readonly KubeObject[]) => Promise<void>

export const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'a child is deleted': ({ client, dice }, children) => onChild(dice, children, (child) => remove(client, child)),
  'a child is scaled or pointed elsewhere': ({ client, dice }, children) =>
    onChild(dice, children, (child) => change(client, child, DRIFTS[child.kind] ?? merge({}))),
  'the label of its owner is taken off a child': ({ client, dice }, children) =>
    onChild(dice, children, (child) =>
      change(client, child, merge({ metadata: { labels: { 'rolebook.dev/owner-uid': null } } })),
    ),
  'a resource is edited and edited back': async ({ client, population, dice }) => {
    const index = dice.below(population.size)
    const key = { namespace: population.namespace, name: population.nameOf(index) }
    const gvk = population.gvkOf(index)
    for (const edit of EDITS.get(gvk) ?? []) await client.patch(gvk, key, edit, MANAGER)
  },
  'a resource is deleted and made again': async ({ client, population, dice }) => {
    const index = dice.below(population.size)
    const key = { namespace: population.namespace, name: population.nameOf(index) }
    await client.delete(population.gvkOf(index), key)
    while (await client.get(population.gvkOf(index), key));
    await population.createOne(index)
  },
  'all connections of the operator break': async ({ cut }) => cut(),
}

/** One of them, as the dice fall: connections break once in a hundred times. */
export async function disturb(stage: Disturbed, children: readonly KubeObject[]): Promise<string> {
  const names = Object.keys(DISTURBANCES)
  const name = names[stage.dice.below(100) === 0 ? names.length - 1 : stage.dice.below(names.length - 1)] ?? ''
  await DISTURBANCES[name]?.(stage, children)
  return name
}

const merge = (body: JsonObject): JsonPatchBody => ({ type: 'merge', body })

const DRIFTS: Readonly<Record<string, JsonPatchBody>> = {
  Deployment: merge({ spec: { replicas: 3 } }),
  Service: merge({ spec: { selector: { app: 'elsewhere' } } }),
  Pod: { type: 'json', body: [{ op: 'replace', path: '/spec/containers/0/image', value: 'other:1' }] },
}

const SIZES = [merge({ spec: { size: 2 } }), merge({ spec: { size: 1 } })]
const toggle = (on: boolean): JsonPatchBody => merge({ spec: { maintpageconfig: { maintpagetoggle: on } } })

/** There and back. */
const EDITS: ReadonlyMap<Gvk, readonly JsonPatchBody[]> = new Map<Gvk, readonly JsonPatchBody[]>([
  [KIND.memcached, SIZES],
  [KIND.memcachedAlpha, SIZES],
  [KIND.maintPage, [toggle(true), toggle(false)]],
])

async function onChild(
  dice: Dice,
  children: readonly KubeObject[],
  work: (child: KubeObject) => Promise<unknown>,
): Promise<void> {
  if (children.length > 0) await work(dice.pick(children))
}

async function remove(client: KubeClient, child: KubeObject): Promise<void> {
  await client.delete(gvkOf(child), keyOf(child))
}

/** A child that was deleted a moment ago is none. */
async function change(client: KubeClient, child: KubeObject, patch: JsonPatchBody): Promise<void> {
  await client.patch(gvkOf(child), keyOf(child), patch, MANAGER).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}
