import { type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import { numberAt, objectAt } from '../../kinds/common/fields.ts'
import type { ObjectApi } from '../../object-api.ts'
import type { ClaimedObjects } from './claimed-objects.ts'
import type { ControllerTools } from './controller-tools.ts'
import { KINDS } from './known-kinds.ts'
import { specOf } from './objects.ts'
import { controllerReference } from './owned-objects.ts'

/** The revisions of workloads of one kind: each keeps a template that a workload has, or had. */
export class ControllerRevisions {
  readonly #api: ObjectApi
  readonly #all: ClaimedObjects
  readonly #hashLabel: string
  readonly #hashOf: (template: JsonObject) => string

  /** `hashOf` goes into names: kinds whose objects may have one name need their own. */
  constructor(tools: ControllerTools, hashLabel: string, hashOf: (template: JsonObject) => string) {
    this.#api = tools.api
    this.#all = tools.claimed(KINDS.controllerRevision)
    this.#hashLabel = hashLabel
    this.#hashOf = hashOf
  }

  find(owner: KubeObject, name: JsonValue | undefined): KubeObject | undefined {
    return this.#all.of(owner).find(({ metadata }) => metadata.name === name)
  }

  /** The revision of a workload's present template: found among those it has, or made. */
  ensure(owner: KubeObject, annotations?: Texts): KubeObject {
    const existing = this.#all.claim(owner)
    const template = objectAt(specOf(owner), 'template')
    const data = { spec: { template: { ...template, $patch: 'replace' } } }
    const next = Math.max(0, ...existing.map((revision) => numberAt(revision, 'revision'))) + 1
    const same = existing.find((revision) => jsonEquals(revision.data, data))
    if (!same) return this.#create(owner, { data, revision: next }, annotations)
    // A template that comes back is the newest revision again.
    if (numberAt(same, 'revision') === next - 1) return same
    return this.#api.update({ ...same, revision: next }, CONTROLLER_MANAGER)
  }

  #create(owner: KubeObject, content: JsonObject, annotations: Texts | undefined): KubeObject {
    const template = objectAt(specOf(owner), 'template')
    const hash = this.#hashOf(template)
    const { name, namespace } = owner.metadata
    const metadata = {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...objectAt(objectAt(template, 'metadata'), 'labels'), [this.#hashLabel]: hash } as Texts,
      annotations,
      ownerReferences: [controllerReference(owner)],
    }
    return this.#api.create(
      { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, ...content },
      CONTROLLER_MANAGER,
    )
  }
}

type Texts = { readonly [name: string]: string }

/** The template that a revision keeps. */
export function templateOfRevision(revision: KubeObject): JsonObject {
  const { $patch: _patch, ...template } = objectAt(objectAt(objectAt(revision, 'data'), 'spec'), 'template')
  return template
}
