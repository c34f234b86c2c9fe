import type { Clock } from '../../../base/clock.ts'
import { ApiError } from '../../../kube/api-error.ts'
import type { KubeObject } from '../../../kube/object.ts'
import type { ObjectApi } from '../../object-api.ts'
import { timestamp } from './objects.ts'

export interface EventText {
  readonly reason: string
  readonly message: string
  /** Defaults to `Normal`. */
  readonly type?: 'Normal' | 'Warning'
}

/** Writes Events in the name of one component. */
export class EventRecorder {
  readonly #api: ObjectApi
  readonly #clock: Clock
  readonly #component: string
  readonly #isOn: boolean
  #count = 0

  constructor(api: ObjectApi, clock: Clock, options: { component: string; isOn: boolean }) {
    this.#api = api
    this.#clock = clock
    this.#component = options.component
    this.#isOn = options.isOn
  }

  record(object: KubeObject, { reason, message, type = 'Normal' }: EventText): void {
    if (!this.#isOn) return
    const { name = '', namespace = 'default', uid = '', resourceVersion = '' } = object.metadata
    const { apiVersion, kind } = object
    const time = timestamp(this.#clock.now())
    const suffix = (this.#clock.now() * 4096 + (this.#count++ % 4096)).toString(16)
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace },
      involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
      reason,
      message,
      type,
      source: { component: this.#component },
      reportingComponent: this.#component,
      reportingInstance: '',
      firstTimestamp: time,
      lastTimestamp: time,
      eventTime: null,
      count: 1,
    }
    this.#write(event)
  }

  /** An event that is refused, because its namespace goes away, is not worth a failure. */
  #write(event: KubeObject): void {
    try {
      this.#api.create(event, this.#component.endsWith('-controller') ? 'kube-controller-manager' : this.#component)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
}
