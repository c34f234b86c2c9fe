import type { KubeObject } from '../../src/core/kube/object.ts'

/** The Secret `creds`, with values in plain text. */
export function credsOf(stringData: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'creds' }, stringData }
}

/** The task that reads it, as lines of a role. */
export const READ_CREDS = '  - get: { apiVersion: v1, kind: Secret, name: creds }\n    register: creds\n'
