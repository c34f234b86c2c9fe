import { isJsonObject, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel, checkSubdomain } from '../write/names.ts'
import { type FieldErrors, invalid, invalidFor, required } from './common/field-errors.ts'
import { objectAt, textAt, withDefaults } from './common/fields.ts'
import { withoutField } from './common/strategies.ts'

/**
 * A claim that names what its volume begins with in the older and the newer field alike. The older one knows claims and
 * snapshots: anything else in it alone is dropped, and so is what stands in another namespace, which has its gate closed.
 */
export function withBothSources(object: KubeObject, old?: KubeObject): KubeObject {
  const given = objectAt(object, 'spec')
  const before = objectAt(old, 'spec')
  const isForeign = textAt(objectAt(given, 'dataSourceRef'), 'namespace') !== ''
  const spec = isForeign && before.dataSourceRef === undefined ? withoutField(given, 'dataSourceRef') : given
  const { dataSource, dataSourceRef } = spec
  if (dataSourceRef !== undefined) return { ...object, spec: withDefaults(spec, { dataSource: dataSourceRef }) }
  if (!isJsonObject(dataSource)) return spec === given ? object : { ...object, spec }
  const isKept = before.dataSource !== undefined || isFamiliar(dataSource)
  const both = isKept ? { ...spec, dataSourceRef: dataSource } : withoutField(spec, 'dataSource')
  return { ...object, spec: both }
}

function isFamiliar(source: JsonObject): boolean {
  const kind = `${textAt(source, 'apiGroup')}/${textAt(source, 'kind')}`
  return kind === '/PersistentVolumeClaim' || kind === 'snapshot.storage.k8s.io/VolumeSnapshot'
}

/** Complaints about what a volume is to begin with. */
export function validateDataSources(spec: JsonObject, field: string): FieldErrors {
  const namespace = textAt(objectAt(spec, 'dataSourceRef'), 'namespace')
  return [
    ...['dataSource', 'dataSourceRef'].flatMap((name) =>
      spec[name] === undefined ? [] : validateSource(objectAt(spec, name), `${field}.${name}`),
    ),
    ...(namespace === '' ? [] : invalidFor(`${field}.dataSourceRef.namespace`, namespace, checkLabel(namespace))),
    ...validateAlike(spec, field, namespace),
  ]
}

/** The older field knows no namespaces. The server shows its own path instead of a value here. */
function validateAlike({ dataSource, dataSourceRef }: JsonObject, field: string, namespace: string): FieldErrors {
  if (!isJsonObject(dataSource) || !isJsonObject(dataSourceRef)) return []
  if (namespace !== '') return [invalid(field, {}, 'may not be specified when dataSourceRef.namespace is specified')]
  const { namespace: _none, ...reference } = dataSourceRef
  return jsonEquals(dataSource, reference) ? [] : [invalid(field, {}, 'must match dataSourceRef')]
}

function validateSource(source: JsonObject, field: string): FieldErrors {
  const [group, kind] = [textAt(source, 'apiGroup'), textAt(source, 'kind')]
  const core = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
  return [
    ...(textAt(source, 'name') === '' ? [required(`${field}.name`)] : []),
    ...(kind === '' ? [required(`${field}.kind`)] : []),
    ...(group === '' && kind !== 'PersistentVolumeClaim' ? [invalid(field, kind, core)] : []),
    ...(group === '' ? [] : invalidFor(`${field}.apiGroup`, group, checkSubdomain(group))),
  ]
}
