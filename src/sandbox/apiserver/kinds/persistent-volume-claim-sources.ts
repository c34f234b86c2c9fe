import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
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
  if (isJsonObject(dataSourceRef)) {
    const { namespace: _namespace, ...local } = dataSourceRef
    return { ...object, spec: isForeign ? spec : withDefaults(spec, { dataSource: local }) }
  }
  if (!isJsonObject(dataSource)) return spec === given ? object : { ...object, spec }
  const isKept = before.dataSource !== undefined || isFamiliar(dataSource)
  const both = isKept ? { ...spec, dataSourceRef: dataSource } : withoutField(spec, 'dataSource')
  return { ...object, spec: both }
}

function isFamiliar(source: JsonObject): boolean {
  const kind = `${textAt(source, 'apiGroup')}/${textAt(source, 'kind')}`
  return kind === '/PersistentVolumeClaim' || kind === 'snapshot.storage.k8s.io/VolumeSnapshot'
}

/** Complaints about what a volume is to begin with. A group that a claim has from its start is not looked at again. */
export function validateDataSources(spec: JsonObject, field: string, old: JsonObject = {}): FieldErrors {
  const hadGroup = ['dataSource', 'dataSourceRef'].some((name) => isText(objectAt(old, name).apiGroup))
  return [
    ...['dataSource', 'dataSourceRef'].flatMap((name) =>
      spec[name] === undefined ? [] : validateSource(objectAt(spec, name), `${field}.${name}`, hadGroup),
    ),
    ...validateBoth(spec, field),
  ]
}

function validateBoth({ dataSource: source, dataSourceRef: ref }: JsonObject, field: string): FieldErrors {
  if (!isJsonObject(source) || !isJsonObject(ref)) return []
  if (textAt(ref, 'namespace') !== '') {
    return [invalid(field, {}, 'may not be specified when dataSourceRef.namespace is specified')]
  }
  const isSame = ['apiGroup', 'kind', 'name'].every((name) => jsonEquals(source[name], ref[name]))
  return isSame ? [] : [invalid(field, {}, 'must match dataSourceRef')]
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string'
}

function validateSource(source: JsonObject, field: string, hadGroup: boolean): FieldErrors {
  const namespace = textAt(source, 'namespace')
  const [group, kind] = [textAt(source, 'apiGroup'), textAt(source, 'kind')]
  const core = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
  return [
    ...(textAt(source, 'name') === '' ? [required(`${field}.name`)] : []),
    ...(kind === '' ? [required(`${field}.kind`)] : []),
    ...(group === '' && kind !== 'PersistentVolumeClaim' ? [invalid(field, kind, core)] : []),
    ...(group === '' || hadGroup ? [] : invalidFor(`${field}.apiGroup`, group, checkSubdomain(group))),
    ...(namespace === '' ? [] : invalidFor(`${field}.namespace`, namespace, checkLabel(namespace))),
  ]
}
