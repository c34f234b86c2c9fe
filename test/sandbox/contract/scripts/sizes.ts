import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { METADATA } from '../map-steps.ts'

const CORE = '/api/v1/namespaces/{ns}'
const MEBIBYTE = 1024 * 1024
/** Three bytes, one character. */
const WIDE = '€'

function tried(name: string, plural: string, body: JsonObject, more: Partial<Step> = {}): Step {
  const metadata = { name: 'large', ...(body.metadata as JsonObject | undefined) }
  return {
    name,
    method: 'POST',
    path: `${CORE}/${plural}?dryRun=All`,
    headers: METADATA,
    body: { ...body, metadata },
    ...more,
  }
}

const base64 = (bytes: number): string => Buffer.alloc(bytes).toString('base64')

/** What is just small enough, and what is a little too large. */
export const steps: readonly Step[] = [
  tried('a Secret of 1 MiB', 'secrets', { stringData: { a: 'x'.repeat(MEBIBYTE - 1), b: 'x' } }),
  tried('a Secret of one byte more', 'secrets', { stringData: { a: 'x'.repeat(MEBIBYTE), b: 'x' } }),
  tried('a Secret of 1 MiB in base64', 'secrets', { data: { a: base64(MEBIBYTE) } }),
  tried('a Secret of one byte more in base64', 'secrets', { data: { a: base64(MEBIBYTE), b: base64(1) } }),
  tried('a Secret of wide characters', 'secrets', { stringData: { a: WIDE.repeat(350_000) } }),
  tried('a large Secret of a type', 'secrets', { type: 'kubernetes.io/tls', data: { a: base64(MEBIBYTE + 1) } }),
  tried('a map of 1 MiB', 'configmaps', { data: { a: 'x'.repeat(MEBIBYTE) } }),
  tried('a map of one byte more', 'configmaps', { data: { a: 'x'.repeat(MEBIBYTE) }, binaryData: { b: base64(1) } }),
  tried('a map of wide characters', 'configmaps', { data: { a: WIDE.repeat(350_000) } }),
  tried(
    'annotations of 256 KiB',
    'configmaps',
    { metadata: { annotations: { a: WIDE.repeat(87_381) } } },
    { asHash: true },
  ),
  tried('annotations of one byte more', 'configmaps', { metadata: { annotations: { aa: WIDE.repeat(87_381) } } }),
]
