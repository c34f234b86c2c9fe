import type { JsonObject } from '../../../src/core/base/json.ts'
import { helmTemplate } from './helm-template.ts'

/** The versions of the API that `helm template` takes for served when it asks no server. */
export function knownVersions(helm: string): readonly string[] {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: versions\nversion: 1.0.0\n',
    'templates/a.yaml': 'all: {{ .Capabilities.APIVersions | toJson }}\n',
  }
  const [document] = helmTemplate(helm, { name: 'versions', files, given: undefined }).documents ?? []
  const { all } = (document?.object ?? {}) as JsonObject
  return [...(all as readonly string[])].sort()
}
