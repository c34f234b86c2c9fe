import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses'
const ANNOTATION = 'kubernetes.io/ingress.class'
const defaultBackend = { service: { name: 'b', port: { number: 80 } } }

function body(name: string, annotation: string | undefined, ingressClassName: string | undefined): JsonObject {
  return {
    metadata: { name, ...(annotation !== undefined && { annotations: { [ANNOTATION]: annotation } }) },
    spec: { defaultBackend, ...(ingressClassName !== undefined && { ingressClassName }) },
  }
}

const made = (name: string, annotation: string | undefined, ingressClassName?: string): Step => ({
  name,
  method: 'POST',
  path: `${INGRESSES}?dryRun=All`,
  body: body('i', annotation, ingressClassName),
})

/** The annotation in which Ingresses named their class before they had a field for it. */
export const steps: readonly Step[] = [
  made('the annotation alone', 'old'),
  made('the annotation alone, empty', ''),
  made('both, the same', 'old', 'old'),
  made('both, not the same', 'old', 'other'),
  made('the annotation empty beside the field', '', 'other'),
  { name: 'with the field', method: 'POST', path: INGRESSES, body: body('kept', undefined, 'other') },
  { name: 'the annotation added later', method: 'PUT', path: `${INGRESSES}/kept`, body: body('kept', 'old', 'other') },
  { name: 'the field taken away', method: 'PUT', path: `${INGRESSES}/kept`, body: body('kept', 'old', undefined) },
]
