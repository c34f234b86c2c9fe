import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { itemsAt, objectAt, textAt } from '../kinds/common/fields.ts'
import { DeferredWork } from '../lifecycle/deferred-work.ts'
import { putStartObjects } from '../write/put-start-objects.ts'
import { type ServerState, timestampOf } from '../write/write-request.ts'
import { DEFAULT_FLOW_CONTROL } from './default-flow-control.ts'

const GROUP = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' }
const FLOW_SCHEMA = { ...GROUP, kind: 'FlowSchema' }
const LEVEL = { ...GROUP, kind: 'PriorityLevelConfiguration' }
const PRODUCER = 'api-priority-and-fairness-config-producer-v1'
const CONSUMER = 'api-priority-and-fairness-config-consumer-v1'
/** Come back when they are deleted. */
const MANDATORY = new Set(['exempt', 'catch-all'])

/** The objects about priority and fairness that a server makes itself, and what it says of each FlowSchema. No request is held up. */
export class FlowControlController {
  readonly #state: ServerState
  readonly #work: DeferredWork<string>

  constructor(state: ServerState, onError: (error: unknown) => void) {
    this.#state = state
    this.#work = new DeferredWork((name) => this.#judge(name), onError)
  }

  start(): () => void {
    putStartObjects(this.#state, DEFAULT_FLOW_CONTROL)
    const stops = [
      this.#state.objects.subscribe(FLOW_SCHEMA, ({ object }) => this.#work.add(keyOf(object).name)),
      this.#state.objects.subscribe(LEVEL, ({ object }) => this.#judgeAllOf(keyOf(object).name)),
    ]
    return () => {
      for (const stop of stops) stop()
      this.#work.stop()
    }
  }

  #createMissing({ apiVersion, kind, metadata, spec }: KubeObject): void {
    const { name, annotations } = metadata
    const object = { apiVersion, kind, metadata: { name, annotations }, spec } as KubeObject
    const { objects } = this.#state
    if (!objects.get(gvkOf(object), keyOf(object))) objects.create(object, PRODUCER)
  }

  #judgeAllOf(level: string): void {
    if (MANDATORY.has(level)) this.#work.add(level)
    for (const schema of this.#state.objects.list(FLOW_SCHEMA)) {
      if (levelOf(schema) === level) this.#work.add(keyOf(schema).name)
    }
  }

  #judge(name: string): void {
    if (MANDATORY.has(name)) {
      for (const each of DEFAULT_FLOW_CONTROL) if (each.metadata.name === name) this.#createMissing(each)
    }
    const schema = this.#state.objects.get(FLOW_SCHEMA, { namespace: '', name })
    if (!schema) return
    const wanted = this.#conditionOf(levelOf(schema))
    const found = itemsAt(objectAt(schema, 'status'), 'conditions').find(({ type }) => type === wanted.type)
    if (found?.status === wanted.status && found.message === wanted.message) return
    const condition = { ...wanted, lastTransitionTime: timestampOf(this.#state.clock.now()) }
    const { apiVersion, kind } = schema
    const applied = { apiVersion, kind, metadata: { name }, status: { conditions: [condition] } }
    this.#state.objects.apply(applied, CONSUMER, 'status')
  }

  #conditionOf(level: string) {
    const isThere = this.#state.objects.get(LEVEL, { namespace: '', name: level }) !== undefined
    const head = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`
    return isThere
      ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${head} and it exists` }
      : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${head} but there is no such object` }
  }
}

function levelOf(schema: KubeObject): string {
  return textAt(objectAt(objectAt(schema, 'spec'), 'priorityLevelConfiguration'), 'name')
}
