import { gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { keyOf } from '../../src/core/kube/object.ts'
import type { SeenRequest } from './fault-gate.ts'
import type { Stage } from './stage.ts'

/** Another client writes the object of a request and takes that back: the object has another version, and is as it was. */
export async function interfere({ witness, person }: Stage, { resource }: SeenRequest): Promise<void> {
  const object = [...witness.objects.values()].find(
    ({ kind, metadata: { name, namespace = '' } }) =>
      name === resource?.name && namespace === resource?.namespace && `${kind.toLowerCase()}s` === resource.plural,
  )
  if (!object) return
  for (const touched of ['now', null]) {
    const body = { metadata: { labels: { touched } } }
    await person.patch(gvkOf(object), keyOf(object), { type: 'merge', body }, { fieldManager: 'person' })
  }
}
