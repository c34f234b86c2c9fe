import { isJsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { objectAt, setPath } from './fields.ts'

const LABELS = ['spec', 'template', 'metadata', 'labels']

/** Labels of a template that are there and empty: no selector matches them, and the refusal shows them so. */
export function keepEmptyLabels(decoded: KubeObject, body: KubeObject): KubeObject {
  const { labels } = objectAt(objectAt(objectAt(body, 'spec'), 'template'), 'metadata')
  return isJsonObject(labels) && Object.keys(labels).length === 0 ? setPath(decoded, LABELS, {}) : decoded
}
