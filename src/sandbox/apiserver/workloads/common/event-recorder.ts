import type { Clock } from '../../../../core/base/clock.ts'
import type { JsonObject } from '../../../../core/base/json.ts'
import { ApiError, isAlreadyExists } from '../../../../core/kube/api-error.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import { numberAt, objectAt } from '../../kinds/common/fields.ts'
import type { ObjectApi } from '../../object-api.ts'
import { EventCorrelator, type EventText, keep } from './event-correlator.ts'
import { timestamp } from './objects.ts'

const EVENT = { group: '', version: 'v1', kind: 'Event' }

/** Writes Events in the name of one component; what happens again is counted. */
export class EventRecorder {
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #component: string
  readonly #isOn: boolean
  readonly #correlator: EventCorrelator
  readonly #written = new Map<string, ObjectKey>()
  #count = 0

  constructor(api: ObjectApi, clock: Clock, options: { component: string; isOn: boolean }) {
    this.#api = api
    this.#clock = clock
    this.#component = options.component
    this.#isOn = options.isOn
    this.#correlator = new EventCorrelator(clock)
  }

  record(object: KubeObject, text: EventText): void {
    const correlated = this.#isOn ? this.#correlator.correlate(object, text) : undefined
    if (correlated === undefined) return
    const { key, ...content } = correlated
    const last = this.#written.get(key)
    const known = last && this.#api.get(EVENT, last)
    this.#write(() => {
      const event = known ? this.#again(known, content.message) : this.#create(object, content)
      keep(this.#written, key, keyOf(event))
    })
  }

  /** Another component may have taken the name for an object of the same name, in the same moment. */
  #create(object: KubeObject, text: EventText): KubeObject {
    try {
      return this.#api.create(this.#eventOf(object, text), this.#manager)
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      return this.#create(object, text)
    }
  }

  #again(event: KubeObject, message: string): KubeObject {
    if (event.action !== undefined) {
      const count = Math.max(numberAt(objectAt(event, 'series'), 'count'), 1) + 1
      const series = { count, lastObservedTime: microTime(this.#clock.now()) }
      return this.#api.update({ ...event, series } as KubeObject, this.#manager)
    }
    const count = numberAt(event, 'count') + 1
    const lastTimestamp = timestamp(this.#clock.now())
    return this.#api.update({ ...event, count, message, lastTimestamp } as KubeObject, this.#manager)
  }

  #eventOf(object: KubeObject, { reason, message, type = 'Normal', action }: EventText): KubeObject {
    const { name = '', namespace = 'default', uid = '', resourceVersion = '' } = object.metadata
    const { apiVersion, kind } = object
    const time = timestamp(this.#clock.now())
    const suffix = (this.#clock.now() * 4096 + (this.#count++ % 4096)).toString(16).padStart(16, '0')
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace },
      involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
      reason,
      message,
      type,
      reportingComponent: this.#component,
      ...(action === undefined ? this.#countedFields(time) : this.#seriesFields(action)),
    } as KubeObject
  }

  #countedFields(time: string): JsonObject {
    const times = { firstTimestamp: time, lastTimestamp: time, eventTime: null }
    return { source: { component: this.#component }, reportingInstance: '', ...times, count: 1 }
  }

  /** Of an Event in its newer form, which has no count until it is a series. */
  #seriesFields(action: string): JsonObject {
    const times = { firstTimestamp: null, lastTimestamp: null, eventTime: microTime(this.#clock.now()) }
    return { action, source: {}, reportingInstance: `${this.#component}-sandbox`, ...times }
  }

  get #manager(): string {
    return this.#component.endsWith('-controller') ? CONTROLLER_MANAGER : this.#component
  }

  /** An event that is refused, because its namespace goes away, is not worth a failure. */
  #write(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}
