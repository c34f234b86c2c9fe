import type { JsonObject } from '../../src/core/base/json.ts'
import { type Gvk, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../src/core/kube/object.ts'
import type { PropagationPolicy } from '../../src/core/kube/propagation.ts'
import type { PreparedRole } from './prepared-role.ts'
import type { Target } from './role-lives.ts'
import type { Stage } from './stage.ts'

/** One thing that happens in a life. It is over when the cluster is what it was after the same step of the life without faults. */
export interface Step {
  readonly name: string
  /** It changes what the resource asks for and nothing else: `Ready` must not be true before the children are so. */
  readonly changesSpec?: boolean
  /** It deletes the resource. */
  readonly deletes?: boolean
  /** The engine may write nothing. */
  readonly atRest?: boolean
  act(stage: Stage, role: PreparedRole): Promise<void>
}

/** Milliseconds: longer than a first, streamed watch lives, and several of those after it. */
const REST = 45 * 60_000

export const LIFE: readonly Step[] = [
  { name: 'start', act: start },
  { name: 'create', changesSpec: true, act: (stage, { resource }) => create(stage, resource) },
  { name: 'update', changesSpec: true, act: (stage, { life, resource }) => patch(stage, resource, life.update) },
  { name: 'drift', act: (stage, { life: { drift } }) => patch(stage, objectOf(drift), drift.body) },
  { name: 'child deleted', act: (stage, { life }) => remove(stage, objectOf(life.lost)) },
  { name: 'reload', act: async (stage, { edited }) => void stage.reload(edited) },
  {
    name: 'restart',
    async act(stage, { edited }) {
      await stage.stopOperator()
      await stage.startOperator(edited)
    },
  },
  { name: 'entry removed', act: removeEntry },
  {
    name: 'restart without the entry',
    async act(stage, { without }) {
      await stage.stopOperator()
      await stage.startOperator(without)
    },
  },
  { name: 'entry put back', act: async (stage, { edited }) => void stage.reload(edited) },
  {
    name: 'rest',
    atRest: true,
    async act(stage, { resource }) {
      await patch(stage, resource, { metadata: { labels: { looked: 'at' } } })
      await stage.advance(REST)
    },
  },
  { name: 'delete', deletes: true, act: (stage, { resource }) => remove(stage, resource, 'Background') },
  { name: 'create again', changesSpec: true, act: createAgain },
  { name: 'delete with orphan', deletes: true, act: (stage, { resource }) => remove(stage, resource, 'Orphan') },
]

/** Looks like a child, but no resource owns it. */
export const BYSTANDER: KubeObject & JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'bystander',
    namespace: 'default',
    labels: { 'rolebook.dev/owner-uid': '00000000-0000-4000-8000-000000000000' },
    annotations: { 'rolebook.dev/owner': 'Nothing/default/absent', 'rolebook.dev/operator': 'elsewhere/0' },
  },
  data: { mine: 'untouched' },
}

const PERSON = { fieldManager: 'person' }

async function start(stage: Stage, { surroundings, project }: PreparedRole): Promise<void> {
  for (const object of [...surroundings, BYSTANDER]) await create(stage, object)
  await stage.startOperator(project)
}

async function create({ person, namespace }: Stage, object: KubeObject): Promise<void> {
  const isHere = object.metadata.namespace === 'default'
  await person.create(isHere ? { ...object, metadata: { ...object.metadata, namespace } } : object, PERSON)
}

/**
 * The operator that works refuses the removal: it would tear down. One that has just started, or sees nothing, may not know
 * that, and spares the resource, as it does when it starts without the entry. Then the entry is put back.
 */
async function removeEntry(stage: Stage, { without, edited }: PreparedRole): Promise<void> {
  if (stage.reload(without)?.kind === 'refused') return
  await stage.untilQuiet()
  stage.reload(edited)
}

async function createAgain(stage: Stage, role: PreparedRole): Promise<void> {
  for (const target of role.life.retained ?? []) await remove(stage, objectOf(target))
  await stage.untilQuiet()
  await create(stage, role.resource)
}

async function patch(stage: Stage, object: KubeObject, body: JsonObject): Promise<void> {
  await stage.person.patch(...addressOf(stage, object), { type: 'merge', body }, PERSON)
}

async function remove(
  stage: Stage,
  object: KubeObject,
  propagationPolicy: PropagationPolicy = 'Background',
): Promise<void> {
  await stage.person.delete(...addressOf(stage, object), { propagationPolicy })
}

/** What stands in `default` by its file stands in the namespace of the stage. */
function addressOf(stage: Stage, object: KubeObject): [Gvk, ObjectKey] {
  const { namespace, name } = keyOf(object)
  return [gvkOf(object), { namespace: namespace === 'default' ? stage.namespace : namespace, name }]
}

function objectOf({ apiVersion, kind, name, namespace = 'default' }: Target): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace } }
}
